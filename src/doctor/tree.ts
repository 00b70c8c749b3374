import { ok } from '../kernel/result.ts'
import type { StoreCheck } from './check.ts'
import { type Finding, mendable, named, open } from './finding.ts'
import { type Edge, everyEdge, setRoot } from './sql/tree.ts'

const most = 5
const levels = 3

export const tree: StoreCheck = {
  id: 'tree',
  needs: 'store',
  asks: 'Does every task stand below a parent that exists, at most three levels deep?',
  changesRows: true,
  async look({ store }) {
    const { orphans, loops, deep, misplaced } = faultsOf(await everyEdge(store))
    return [
      ...orphans
        .slice(0, most)
        .map(({ id, parent }) =>
          fault(id, `${id} stands below ${parent}, which does not exist`, 'trees and epics leave it out'),
        ),
      ...loops
        .slice(0, most)
        .map((id) =>
          fault(id, `${id} stands below itself`, 'no list that goes down the tree comes to an end'),
        ),
      ...deep
        .slice(0, most)
        .map((id) =>
          fault(id, `${id} is more than ${levels} levels deep`, 'what its ancestors wait for is not counted'),
        ),
      ...(misplaced.length > 0 ? [wrongRoot(misplaced)] : []),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      const { misplaced } = faultsOf(await everyEdge(tx.db))
      for (const { id, root, real } of misplaced) {
        await setRoot(tx.db, id, real)
        await tx.record({ after: { mended: 'tree', id, was: root, root: real } })
      }
      return ok(misplaced.length)
    })
  },
}

const fault = (id: string, what: string, why: string): Finding =>
  open({ kind: 'state', severity: 'error', what, why, where: id, fix: `cleo update ${id} --parent none` })

const wrongRoot = (misplaced: readonly Misplaced[]): Finding =>
  mendable({
    kind: 'state',
    severity: 'error',
    what: `counted to the wrong epic: ${named(
      misplaced.slice(0, most).map(({ id, root, real }) => `${id} (${root} for ${real})`),
      misplaced.length,
    )}`,
    why: 'ready work of an epic leaves it out, and sessions refuse it',
    where: misplaced[0]!.id,
  })

interface Misplaced {
  id: string
  root: string
  real: string
}

interface Faults {
  orphans: Edge[]
  /** Each by the task it is found at first. */
  loops: string[]
  deep: string[]
  misplaced: Misplaced[]
}

const faultsOf = (edges: readonly Edge[]): Faults => {
  const tasks = edges.filter(({ needs }) => needs === null)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const faults: Faults = { orphans: [], loops: [], deep: [], misplaced: [] }
  const inLoop = new Set<string>()
  for (const task of tasks) {
    if (task.parent !== null && !byId.has(task.parent)) faults.orphans.push(task)
    const line = climb(task, byId)
    if (line === 'loop') {
      if (!inLoop.has(task.id)) faults.loops.push(task.id)
      for (let at: Edge | undefined = task; at && !inLoop.has(at.id); at = byId.get(at.parent!))
        inLoop.add(at.id)
      continue
    }
    const top = byId.get(line.at(-1)!)!
    if (line.length > levels) faults.deep.push(task.id)
    else if (top.parent === null && task.root !== top.id)
      faults.misplaced.push({ id: task.id, root: task.root!, real: top.id })
  }
  return faults
}

/** The task and what stands above it; `loop` where that has no end. */
const climb = (task: Edge, byId: ReadonlyMap<string, Edge>): string[] | 'loop' => {
  const line: string[] = []
  for (let at: Edge | undefined = task; at; at = at.parent === null ? undefined : byId.get(at.parent)) {
    if (line.includes(at.id)) return 'loop'
    line.push(at.id)
    if (line.length > 1000) return line
  }
  return line
}
