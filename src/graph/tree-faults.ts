import type { WaitingTask } from './waits.ts'

/** A row about a task, or about a dependency. If `needs` is set, the task `id` depends on the task `needs`. */
export interface Edge {
  id: string
  parent: string | null
  root: string | null
  needs: string | null
}

export interface Misplaced {
  id: string
  root: string
  real: string
}

interface TreeFaults {
  orphans: Edge[]
  /** One task of each cycle of parents. */
  loops: string[]
  deep: string[]
  /** Tasks that are recorded under a wrong root. */
  misplaced: Misplaced[]
}

/** How many levels a tree can have: epic, task and subtask. */
export const levels = 3

/** Finds problems in the tree of parents. Programs other than CLEO can have caused such problems. */
export const treeFaults = (edges: readonly Edge[]): TreeFaults => {
  const tasks = edges.filter(({ needs }) => needs === null)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const faults: TreeFaults = { orphans: [], loops: [], deep: [], misplaced: [] }
  const inLoop = new Set<string>()
  for (const task of tasks) {
    if (task.parent !== null && !byId.has(task.parent)) faults.orphans.push(task)
    const ancestors = ancestry(task, byId)
    if (ancestors === 'loop') {
      if (!inLoop.has(task.id)) faults.loops.push(task.id)
      for (let at: Edge | undefined = task; at && !inLoop.has(at.id); at = byId.get(at.parent!))
        inLoop.add(at.id)
      continue
    }
    const top = byId.get(ancestors.at(-1)!)!
    if (ancestors.length > levels) faults.deep.push(task.id)
    else if (top.parent === null && task.root !== top.id)
      faults.misplaced.push({ id: task.id, root: task.root!, real: top.id })
  }
  return faults
}

const ancestry = (task: Edge, byId: ReadonlyMap<string, Edge>): string[] | 'loop' => {
  const ids: string[] = []
  for (let at: Edge | undefined = task; at; at = at.parent === null ? undefined : byId.get(at.parent)) {
    if (ids.includes(at.id)) return 'loop'
    ids.push(at.id)
    if (ids.length > 1000) return ids
  }
  return ids
}

/** Returns each task with its parent and dependencies, for `findCycle`. Leaves out parents that form a cycle. */
export const waitingTasks = (edges: readonly Edge[]): WaitingTask[] => {
  const parents = new Map(edges.flatMap(({ id, parent, needs }) => (needs === null ? [[id, parent]] : [])))
  const needs = Map.groupBy(
    edges.filter((edge) => edge.needs !== null),
    ({ id }) => id,
  )
  return [...parents].map(([id, parent]) => ({
    id,
    parent: endsAtRoot(id, parents) ? parent : null,
    needs: (needs.get(id) ?? []).map((edge) => edge.needs!),
  }))
}

const endsAtRoot = (id: string, parents: ReadonlyMap<string, string | null>): boolean => {
  let at: string | null | undefined = id
  for (let level = 0; at && level <= levels; level++) at = parents.get(at)
  return !at
}
