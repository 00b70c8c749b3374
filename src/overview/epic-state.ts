import * as v from 'valibot'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { contestedVotes, countItems } from '../inbox/inbox-items.ts'
import { brief } from '../kernel/print/brief.ts'
import { closed, type Status, statuses, type TaskLine } from '../kernel/task.ts'
import type { Db } from '../store/port.ts'
import { readySet } from '../tasks/ready-set.ts'
import * as taskCounts from '../tasks/sql/counts.ts'
import { page } from '../tasks/sql/list.ts'
import * as search from '../tasks/sql/search.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { taskLine } from '../tasks/task-shape.ts'

/** How many tasks each list shows at most. The counts include all tasks. */
const few = 5
/** How many of the latest spawns are searched for spawns that have not returned yet. */
const lastSpawns = 200

export const countsShape = () => v.partial(v.object(recordOf(statuses, v.number())))
export type Counts = Partial<Record<Status, number>>

const recordOf = <K extends string, T>(keys: readonly K[], value: T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, value])) as Record<K, T>

/** Counts tasks by status. Leaves out statuses without tasks, and does not count tasks with subtasks. */
export const countsOf = async (db: Db, root: string | undefined): Promise<Counts> => {
  const found = await taskCounts.countByStatus(db, root)
  const counts: Counts = {}
  for (const status of statuses) {
    const n = found.get(status)
    if (n !== undefined) counts[status] = n
  }
  return counts
}

export const readyShape = () => v.array(taskLine())

/** The first few tasks that can run in parallel. */
export const firstReady = async (db: Db, root: string | undefined, limit = few): Promise<TaskLine[]> => {
  const { chosen } = await readySet(db, { root, limit, shared: false, skip: 0 })
  return chosen.map((row) => ({ ...tasks.toLine(row), title: brief(row.title, 56) }))
}

export const blockedShape = () => v.array(v.object({ id: v.string(), why: v.string() }))

/** The first few blocked tasks, with their reasons. */
export const firstBlocked = async (db: Db, root: string | undefined) => {
  const rows = await page(db, { status: 'blocked', root, limit: few })
  if (rows.length === 0) return []
  const found = await tasks.findMany(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id }) => ({ id, why: brief(found.get(id)?.reason ?? '', 64) }))
}

export const activeShape = () => v.array(v.object({ id: v.string(), owner: v.optional(v.string()) }))

/** The first few active tasks, each with the owner of its claim. */
export const firstActive = async (db: Db, root: string | undefined) => {
  const found: { id: string; owner?: string }[] = []
  for (const { id, root: own } of await search.active(db)) {
    if (root !== undefined && own !== root) continue
    if (found.length === few) break
    const claim = await claims.holder(db, id)
    found.push({ id, ...(claim && { owner: claim.owner }) })
  }
  return found
}

/**
 * Returns the spawns that have not returned yet, oldest first. Such a spawn is the last attempt at a pending or
 * active task, was not received, and either has not started or has a live claim. If the claim has expired, the task
 * is ready again.
 */
export const unreturnedSpawns = async (db: Db, root: string | undefined): Promise<string[]> => {
  const lines = await spawns.list(db, { epic: root, limit: lastSpawns })
  if (lines.length === 0) return []
  const now = await db.now()
  const held = new Set(
    (await search.active(db)).flatMap(({ id, expires_at }) => (expires_at && expires_at > now ? [id] : [])),
  )
  const out = lines.filter(
    ({ task, attempt, latest, status, started_at, back_at }) =>
      attempt === latest &&
      back_at === null &&
      !closed(status) &&
      status !== 'blocked' &&
      (started_at === null || held.has(task)),
  )
  return out.map(({ id }) => id).toReversed()
}

/** Counts the items of the whole project that wait for a person. */
export const waitingForPeople = async (db: Db): Promise<number> => countItems(db, await contestedVotes(db))

/** Explains why no task can start. */
export const whyNothingIsReady = async (db: Db, root: string | undefined): Promise<string> => {
  const counts = await taskCounts.countByStatus(db, root)
  const open = (counts.get('pending') ?? 0) + (counts.get('active') ?? 0) + (counts.get('blocked') ?? 0)
  if (open === 0) return 'no open tasks'
  const parts = (['active', 'blocked', 'pending'] as const).flatMap((status) => {
    const n = counts.get(status) ?? 0
    return n > 0 ? [`${n} ${status}`] : []
  })
  return `no task is ready: ${parts.join(', ')}`
}
