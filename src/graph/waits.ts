export interface WaitingTask {
  id: string
  parent: string | null
  needs: readonly string[]
}

export interface Cycle {
  /** The tasks of the cycle. Each waits for the next one; the last element repeats the first. */
  path: string[]
  /** True if a step of the cycle is "contains" instead of "depends on". */
  contains: boolean
}

/**
 * Finds tasks that wait for each other. Every task has two events: it starts, and it is done. A task can start when
 * all dependencies of the task and of its ancestors are done. A task is done when it has started and all its children
 * are done. So there is also a cycle if a task depends on its own ancestor or descendant. A cycle can also pass
 * through the dependencies of an epic.
 */
export const findCycle = (tasks: readonly WaitingTask[]): Cycle | undefined => {
  if (tasks.length === 0) return undefined
  const index = new Map(tasks.map(({ id }, i) => [id, i]))
  const children = new Map<number, number[]>()
  tasks.forEach(({ parent }, i) => {
    const p = parent === null ? undefined : index.get(parent)
    if (p === undefined) return
    const siblings = children.get(p)
    if (siblings) siblings.push(i)
    else children.set(p, [i])
  })
  // Each event has a number: 2i is "task i starts", 2i + 1 is "task i is done".
  const waitsFor = (moment: number): number[] => {
    const i = moment >> 1
    if (moment & 1) return [2 * i, ...(children.get(i) ?? []).map((c) => 2 * c + 1)]
    const task = tasks[i]!
    const parent = task.parent === null ? undefined : index.get(task.parent)
    const needs = task.needs.flatMap((need) => index.get(need) ?? [])
    return [...needs.map((n) => 2 * n + 1), ...(parent === undefined ? [] : [2 * parent])]
  }
  const moments = firstCycle(tasks.length * 2, waitsFor)
  return moments && toCycle(withoutDetours(moments), tasks)
}

/** Searches depth first without recursion: a chain of 100,000 tasks must not overflow the stack. */
const firstCycle = (count: number, next: (node: number) => number[]): number[] | undefined => {
  const state = new Uint8Array(count) // 0 new, 1 on the current path, 2 finished
  for (let start = 0; start < count; start++) {
    if (state[start]) continue
    const path: number[] = [start]
    const pending: number[][] = [next(start)]
    state[start] = 1
    while (path.length > 0) {
      const node = pending.at(-1)!.pop()
      if (node === undefined) {
        state[path.pop()!] = 2
        pending.pop()
      } else if (state[node] === 1) {
        return [...path.slice(path.indexOf(node)), node]
      } else if (state[node] === 0) {
        state[node] = 1
        path.push(node)
        pending.push(next(node))
      }
    }
  }
  return undefined
}

/**
 * If a cycle contains both the start and the end of a task, keeps only the events from the start to the end. These
 * are a cycle too, because the end always waits for the start. The result repeats its first event at the end.
 */
const withoutDetours = (moments: number[]): number[] => {
  const cycle = moments.slice(0, -1)
  const at = new Map(cycle.map((moment, i) => [moment, i]))
  let shortest = cycle.length
  let first = 0
  for (const [i, moment] of cycle.entries()) {
    const end = moment & 1 ? undefined : at.get(moment + 1)
    if (end === undefined) continue
    const length = end > i ? end - i + 1 : cycle.length - i + end + 1
    if (length < shortest) [shortest, first] = [length, i]
  }
  if (shortest === cycle.length) return moments
  const shorter = [...cycle.slice(first), ...cycle.slice(0, first)].slice(0, shortest)
  return withoutDetours([...shorter, shorter[0]!])
}

const toCycle = (moments: number[], tasks: readonly WaitingTask[]): Cycle => {
  let ids = moments.map((moment) => tasks[moment >> 1]!.id).filter((id, i, all) => id !== all[i - 1])
  if (ids.length === 1) ids = [ids[0]!, ids[0]!]
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const contains = ids.some((id, i) => i + 1 < ids.length && !byId.get(id)!.needs.includes(ids[i + 1]!))
  return { path: ids, contains }
}
