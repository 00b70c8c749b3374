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
  const moments = tasks.length > 0 ? firstCycle(waitsBetween(tasks)) : undefined
  return moments && toCycle(withoutDetours(moments), tasks)
}

/**
 * Which task waits for which. The numbers are positions in the list of tasks; -1 means none. There is no object per
 * task, because a batch can have 100,000 tasks.
 */
interface Waits {
  parents: number[]
  lastChildren: number[]
  /** For each task, the previous child of the same parent. */
  childrenBefore: number[]
  /** The needs of task i start at `firstNeeds[i]` and end before `firstNeeds[i + 1]`. */
  needs: number[]
  firstNeeds: number[]
}

const waitsBetween = (tasks: readonly WaitingTask[]): Waits => {
  const index = new Map<string, number>()
  const waits: Waits = { parents: [], lastChildren: [], childrenBefore: [], needs: [], firstNeeds: [0] }
  for (const [i, { id }] of tasks.entries()) {
    index.set(id, i)
    waits.lastChildren.push(-1)
  }
  for (const [i, { parent, needs }] of tasks.entries()) {
    const above = (parent === null ? undefined : index.get(parent)) ?? -1
    waits.parents.push(above)
    waits.childrenBefore.push(above < 0 ? -1 : waits.lastChildren[above]!)
    if (above >= 0) waits.lastChildren[above] = i
    for (const need of needs) {
      const needed = index.get(need)
      if (needed !== undefined) waits.needs.push(needed)
    }
    waits.firstNeeds.push(waits.needs.length)
  }
  return waits
}

/**
 * Searches depth first without recursion: a chain of 100,000 tasks must not overflow the stack. Each event has a
 * number: 2i is "task i starts", 2i + 1 is "task i is done".
 */
const firstCycle = (waits: Waits): number[] | undefined => {
  const { parents, lastChildren, childrenBefore, needs, firstNeeds } = waits
  const state = new Uint8Array(parents.length * 2) // 0 new, 1 on the current path, 2 finished
  const path: number[] = []
  /**
   * For each event on the path, the place at which the next call of `next` looks:
   * - For "task is done", this is a child of the task.
   * - For "task starts", a number n means the need at `needs[n - 1]`. The number after the last need means the parent.
   */
  const places: number[] = []
  const enter = (moment: number): void => {
    const i = moment >> 1
    state[moment] = 1
    path.push(moment)
    // For "task starts", `next` counts down: it looks at the parent first, then at the needs from the last to the
    // first.
    places.push(moment & 1 ? lastChildren[i]! : firstNeeds[i + 1]! + (parents[i]! < 0 ? 0 : 1))
  }
  /** Returns the next event for which the last event of the path waits; -1 if there is none. */
  const next = (): number => {
    const moment = path.at(-1)!
    const i = moment >> 1
    const place = places.at(-1)!
    if (moment & 1) {
      // After all children, look at the start of the same task.
      places[places.length - 1] = place < 0 ? ended : childrenBefore[place]!
      return place >= 0 ? 2 * place + 1 : place === ended ? -1 : 2 * i
    }
    places[places.length - 1] = place - 1
    if (place > firstNeeds[i + 1]!) return 2 * parents[i]!
    return place > firstNeeds[i]! ? 2 * needs[place - 1]! + 1 : -1
  }
  for (let start = 0; start < state.length; start++) {
    if (state[start]) continue
    enter(start)
    while (path.length > 0) {
      const moment = next()
      if (moment < 0) {
        state[path.pop()!] = 2
        places.pop()
      } else if (state[moment] === 1) return [...path.slice(path.indexOf(moment)), moment]
      else if (state[moment] === 0) enter(moment)
    }
  }
  return undefined
}
/** In `places`, this means that `next` has already returned every event for which this "task is done" event waits. */
const ended = -2

/**
 * Shortens a cycle that contains both "task starts" and "task is done" of one task. Keeps only the events from
 * "task starts" to "task is done". These are a cycle too, because "task is done" always waits for "task starts". The
 * last element of the result repeats the first.
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
