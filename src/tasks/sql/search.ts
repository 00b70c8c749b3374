import { countIndexed, type Total } from '../../store/count-up-to.ts'
import { type Db, marks, portions } from '../../store/port.ts'
import { isUnfinished, type LineRow, lineColumns, type SpawnRow, type TaskRow } from '../../store/rows.ts'
import { where } from '../../store/where.ts'

export const exact = (db: Db, id: string | undefined, title: string, limit: number): Promise<LineRow[]> =>
  db.all<LineRow>(
    `SELECT ${lineColumns} FROM tasks WHERE id = ? OR title = ? ORDER BY id LIMIT ?`,
    id ?? '',
    title,
    limit,
  )

export const titlesOf = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  const titles = new Map<string, string>()
  for (const some of portions([...new Set(ids)])) {
    const rows = await db.all<{ id: string; title: string }>(
      `SELECT id, title FROM tasks WHERE id IN (${marks(some.length)})`,
      ...some,
    )
    for (const { id, title } of rows) titles.set(id, title)
  }
  return titles
}

export type ReadyRow = Pick<
  TaskRow,
  'seq' | 'id' | 'title' | 'status' | 'priority' | 'size' | 'unblocks' | 'root'
> & {
  /** 1 if the task has no description and no criteria. */
  undescribed: number
  rootType: string
}

// Uses LIMIT and not EXISTS: with EXISTS, PostgreSQL would read all criteria if there are many tasks.
const spawnColumns = `CASE WHEN trim(description) = '' AND
    (SELECT n FROM criteria WHERE criteria.task = tasks.id LIMIT 1) IS NULL THEN 1 ELSE 0 END AS undescribed,
  root, (SELECT type FROM tasks top WHERE top.id = tasks.root) AS "rootType"`
const readyColumns = `seq, id, title, status, priority, size, unblocks, ${spawnColumns}`
const pendingReady = `status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0`

/**
 * Returns ready tasks from the ready index, most important first. `skip` is the number of tasks that were already
 * read.
 */
export const ready = (db: Db, root: string | undefined, limit: number, skip: number): Promise<ReadyRow[]> => {
  const inRoot = root === undefined ? '' : 'root = ? AND'
  return db.all<ReadyRow>(
    `SELECT ${readyColumns} FROM tasks WHERE ${inRoot} ${pendingReady}
     ORDER BY priority, unblocks DESC, seq LIMIT ? OFFSET ?`,
    ...(root === undefined ? [] : [root]),
    limit,
    skip,
  )
}

/** Stops counting at `most`, by default at a thousand. */
export const countReady = (db: Db, root: string | undefined, most?: number): Promise<Total> => {
  const inRoot = root === undefined ? '' : 'root = ? AND'
  return countIndexed(
    db,
    `FROM tasks WHERE ${inRoot} ${pendingReady}`,
    root === undefined ? [] : [root],
    most,
  )
}

/** A task that is out, or that is active without a spawn. */
export type BusyRow = ReadyRow & Busy
/** Like `BusyRow`, but with the owner of the claim. Lacks the columns that are needed only to choose the next task. */
export type BusyCard = Pick<TaskRow, 'seq' | 'id' | 'title' | 'priority' | 'root'> &
  ({ spawn: null; owner: string | null } | OutOf)
type Busy = { spawn: null; expires_at: number | null } | ({ expires_at: null } & OutOf)
type OutOf = { spawn: string } & OutTimes
type OutTimes = Pick<SpawnRow, 'at' | 'started_at' | 'seen_at' | 'back_at' | 'agents'>
export type OutRow = Extract<BusyRow, { spawn: string }>
export type OutCard = Extract<BusyCard, { spawn: string }>

/**
 * Returns the tasks that are out or active, in any order and whether or not their claim has expired. These tasks are
 * few, and indexes find them. Without `status || ''`, the planner would read all pending tasks by their status. In a
 * project with 10,000 tasks, the commands `next`, `ready` and `status` would then take 1.8 ms longer.
 */
export const busy = (db: Db): Promise<BusyRow[]> =>
  db.all<BusyRow>(busyWith(`tasks.status AS status, size, unblocks, ${spawnColumns}`, 'expires_at'))

/** Returns the same tasks as `busy`, for the board. The query takes half as long to prepare. */
export const busyCards = (db: Db): Promise<BusyCard[]> => db.all<BusyCard>(busyWith('root', 'owner'))

const busyWith = (more: string, ofClaim: 'expires_at' | 'owner'): string => {
  const columns = `tasks.seq AS seq, tasks.id AS id, title, priority, ${more}`
  return `SELECT ${columns}, claims.${ofClaim} AS ${ofClaim}, NULL AS spawn, NULL AS at, NULL AS started_at,
       NULL AS seen_at, NULL AS back_at, NULL AS agents
     FROM tasks LEFT JOIN claims ON claims.task = tasks.id AND claims.state = 'held'
     WHERE tasks.status = 'active' AND attempt_out = 0
     UNION ALL
     SELECT ${columns}, NULL, spawns.id, spawns.at, started_at, seen_at, back_at, agents
     FROM tasks JOIN spawns ON spawns.task = tasks.id AND spawns.attempt = tasks.attempt_out
     WHERE attempt_out > 0 AND tasks.status || '' IN ('pending', 'active')`
}

/** A done task whose work is not merged. `received` is 1 if the task is partial and was received. */
export type SubmittedRow = TaskRow & { received: number }

/** The oldest task comes first. Tasks whose work is not merged are few, and an index finds them. */
export const submitted = (db: Db, root: string | undefined, limit: number): Promise<SubmittedRow[]> =>
  db.all<SubmittedRow>(
    `SELECT tasks.*, CASE WHEN outcome = 'partial' AND EXISTS (
       SELECT 1 FROM returns WHERE returns.task = tasks.id AND returned = 'partial') THEN 1 ELSE 0 END AS received
     FROM tasks WHERE merge = 'pending' AND status = 'done' ${root === undefined ? '' : 'AND root = ?'}
     ORDER BY seq LIMIT ?`,
    ...(root === undefined ? [] : [root]),
    limit,
  )

export const unlanded = async (db: Db, root: string | undefined): Promise<string | undefined> => {
  const row = await db.get<{ id: string }>(
    `SELECT tasks.id AS id FROM integrations JOIN tasks ON tasks.id = integrations.epic
     WHERE tasks.status = 'done' AND tasks.merge = 'merged' AND tasks.landed_at IS NULL
       ${root === undefined ? '' : 'AND tasks.id = ?'} ORDER BY tasks.seq LIMIT 1`,
    ...(root === undefined ? [] : [root]),
  )
  return row?.id
}

/**
 * Returns a pending parent whose children are all closed and wait for no merge, and the command that closes the parent.
 * If every child was cancelled, the parent has no work, so the command cancels it.
 */
export const finishedParent = async (
  db: Db,
  root: string | undefined,
): Promise<{ id: string; then: string } | undefined> => {
  // `root || ''` keeps the planner from using the index on `root`. The index on parents reads fewer rows, because few
  // tasks have children.
  const wanted = where({
    "status = 'pending'": [],
    'blockers = 0': [],
    'children > 0': [],
    "root || '' = ?": root,
  })
  const row = await db.get<{ id: string }>(
    `SELECT id FROM tasks ${wanted.sql} AND NOT EXISTS (
       SELECT 1 FROM tasks part WHERE part.parent = tasks.id AND ${isUnfinished('part')})
     ORDER BY seq LIMIT 1`,
    ...wanted.params,
  )
  if (!row) return undefined
  const done = await db.get(
    'SELECT 1 AS there FROM tasks WHERE parent = ? AND status = ? LIMIT 1',
    row.id,
    'done',
  )
  return { id: row.id, then: `cleo ${done ? `complete ${row.id}` : `cancel ${row.id} --reason "…"`}` }
}
