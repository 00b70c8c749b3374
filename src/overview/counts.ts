import * as v from 'valibot'
import { type Status, statuses } from '../kernel/task.ts'
import type { Db } from '../store/port.ts'
import * as taskCounts from '../tasks/sql/counts.ts'

export const countsShape = () =>
  v.partial(
    v.object({
      ...recordOf(statuses, v.number()),
      /** Done tasks whose work is not merged yet. The count `done` does not contain them. */
      unmerged: v.number(),
    }),
  )
export type Counts = Partial<Record<Status | 'unmerged', number>>

const recordOf = <K extends string, T>(keys: readonly K[], value: T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, value])) as Record<K, T>

/** Leaves out statuses without tasks, and does not count tasks that have children. */
export const countsOf = async (db: Db, root: string | undefined): Promise<Counts> =>
  countsFrom(db, root, await taskCounts.countByStatus(db, root))

/** Like `countsOf`, for a caller that has already counted the tasks with `countByStatus`. */
export const countsFrom = async (
  db: Db,
  root: string | undefined,
  found: ReadonlyMap<Status, number>,
): Promise<Counts> => {
  const counts: Counts = {}
  for (const status of statuses) {
    const n = found.get(status) ?? 0
    const waiting = status === 'done' && n > 0 ? await taskCounts.countUnmerged(db, root) : 0
    if (waiting > 0) counts.unmerged = waiting
    if (n > waiting) counts[status] = n - waiting
  }
  return counts
}
