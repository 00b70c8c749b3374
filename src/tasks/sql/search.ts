import type { Status } from '../../kernel/task.ts'
import type { Db, Param } from '../../store/port.ts'
import { type LineRow, lineColumns, openStatuses, type TaskRow } from '../../store/rows.ts'
import { where } from '../../store/where.ts'

export interface ListFilter {
  status?: Status
  open?: boolean
  type?: string
  parent?: string
  root?: string
  label?: string
  priority?: number
  size?: string
  /** The number of the last task on the previous page. */
  after?: number
  limit: number
}

export const list = async (
  db: Db,
  filter: ListFilter,
): Promise<{ rows: (LineRow & { seq: number })[]; total: number }> => {
  const wanted: Record<string, Param | readonly Param[] | undefined> = {
    'status = ?': filter.status,
    [`status IN ${openStatuses}`]: filter.open ? [] : undefined,
    'type = ?': filter.type,
    'parent = ?': filter.parent,
    'root = ?': filter.root,
    'priority = ?': filter.priority,
    'size = ?': filter.size,
    'id IN (SELECT task FROM labels WHERE label = ?)': filter.label,
  }
  const counted = where(wanted)
  const paged = where({ ...wanted, 'seq > ?': filter.after })
  const total = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM tasks ${counted.sql}`,
    ...counted.params,
  )
  const rows = await db.all<LineRow & { seq: number }>(
    `SELECT seq, ${lineColumns} FROM tasks ${paged.sql} ORDER BY seq LIMIT ?`,
    ...paged.params,
    filter.limit,
  )
  return { rows, total: Number(total!.n) }
}

/** Returns the tasks with exactly this id or title. */
export const exact = (db: Db, id: string | undefined, title: string, limit: number): Promise<LineRow[]> =>
  db.all<LineRow>(
    `SELECT ${lineColumns} FROM tasks WHERE id = ? OR title = ? ORDER BY id LIMIT ?`,
    id ?? '',
    title,
    limit,
  )

/** Full-text search, best match first. */
export const match = async (
  db: Db,
  words: string,
  limit: number,
  skip: number,
): Promise<{ rows: LineRow[]; total: number }> => {
  const total = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${db.dialect.fullText}) AS hits`,
    words,
  )
  const rows = await db.all<LineRow>(
    `SELECT ${lineColumns} FROM (${db.dialect.fullText}) AS hits JOIN tasks ON tasks.seq = hits.seq
     ORDER BY hits.rank, tasks.seq LIMIT ? OFFSET ?`,
    words,
    limit,
    skip,
  )
  return { rows, total: Number(total!.n) }
}

export type ReadyRow = Pick<TaskRow, 'seq' | 'id' | 'title' | 'status' | 'priority' | 'size' | 'unblocks'> & {
  /** 1 if the task has no description. */
  undescribed: number
  /** The id of the task's last spawn, if that spawn has neither started nor returned. */
  unstarted: string | null
}

const spawnColumns = `CASE description WHEN '' THEN 1 ELSE 0 END AS undescribed,
  (SELECT CASE WHEN started_at IS NULL AND back_at IS NULL THEN spawns.id END FROM spawns WHERE spawns.task = tasks.id
   ORDER BY attempt DESC LIMIT 1) AS unstarted`
const readyColumns = `seq, id, title, status, priority, size, unblocks, ${spawnColumns}`
const pendingReady = `status = 'pending' AND blockers = 0 AND children = 0`

/**
 * Returns ready tasks in the order to work on them, read from the ready index; `skip` leaves out tasks already read.
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

export const mostCounted = 1000

/** Counts the ready tasks up to a thousand; counting further would take longer than the rest of the command. */
export const countReady = async (db: Db, root: string | undefined): Promise<number> => {
  const inRoot = root === undefined ? '' : 'root = ? AND'
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM tasks WHERE ${inRoot} ${pendingReady} LIMIT ${mostCounted}) AS counted`,
    ...(root === undefined ? [] : [root]),
  )
  return Number(row!.n)
}

export type ActiveRow = ReadyRow & { root: string; expires_at: number | null }

/**
 * Returns all active tasks, including those with an expired claim. They are few, and the index on status finds them.
 */
export const active = (db: Db): Promise<ActiveRow[]> =>
  db.all<ActiveRow>(
    `SELECT seq, id, title, tasks.status AS status, priority, size, unblocks, root, expires_at,
       ${spawnColumns}
     FROM tasks LEFT JOIN claims ON claims.task = tasks.id AND claims.state = 'held'
     WHERE tasks.status = 'active' ORDER BY seq`,
  )

/** Returns the first tasks, tree by tree, in order of creation. */
export const firstOf = (db: Db, openOnly: boolean, limit: number): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    `SELECT tasks.* FROM tasks JOIN tasks top ON top.id = tasks.root
     ${openOnly ? `WHERE tasks.status IN ${openStatuses}` : ''} ORDER BY top.seq, tasks.seq LIMIT ?`,
    limit,
  )

export const count = async (db: Db, openOnly: boolean): Promise<number> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM tasks ${openOnly ? `WHERE status IN ${openStatuses}` : ''}`,
  )
  return Number(row!.n)
}

/** Counts the tasks without children by status. */
export const countByStatus = async (db: Db, root: string | undefined): Promise<Map<Status, number>> => {
  const wanted = where({ 'children = 0': [], 'root = ?': root })
  const rows = await db.all<{ status: Status; n: number }>(
    `SELECT status, count(*) AS n FROM tasks ${wanted.sql} GROUP BY status`,
    ...wanted.params,
  )
  return new Map(rows.map(({ status, n }) => [status, Number(n)]))
}

/** Returns a pending parent whose children are all closed, so that it can be completed. */
export const finishedParent = async (db: Db, root: string | undefined): Promise<string | undefined> => {
  const wanted = where({ "status = 'pending'": [], 'blockers = 0': [], 'children > 0': [], 'root = ?': root })
  const row = await db.get<{ id: string }>(
    `SELECT id FROM tasks ${wanted.sql} AND NOT EXISTS (
       SELECT 1 FROM tasks part WHERE part.parent = tasks.id AND part.status IN ${openStatuses})
     ORDER BY seq LIMIT 1`,
    ...wanted.params,
  )
  return row?.id
}
