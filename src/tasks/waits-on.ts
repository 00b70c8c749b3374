import { taskNumber } from '../kernel/task-id.ts'

/** The open tasks that a task waits on, directly or through its ancestors. */
export interface WaitsOn {
  /**
   * The oldest of these tasks. The others are only counted, because each task of a large batch can wait on hundreds of
   * tasks.
   */
  first: readonly string[]
  count: number
  has(id: string): boolean
}

const mostListed = 20

export const waitsOnNothing: WaitsOn = { first: [], count: 0, has: () => false }

/** Combines a task's own dependencies with the tasks that its parent waits on, without copying the parent's list. */
export const waitsOn = (own: readonly string[], above: WaitsOn): WaitsOn => {
  if (own.length === 0) return above
  if (own.length === 1 && above === waitsOnNothing)
    return { first: own, count: 1, has: (id) => id === own[0] }
  const added = own.filter((id) => !above.has(id))
  const first = [...added, ...above.first].sort((a, b) => taskNumber(a) - taskNumber(b))
  return {
    first: first.slice(0, mostListed),
    count: above.count + added.length,
    has: (id) => own.includes(id) || above.has(id),
  }
}
