import { countUpTo, type Total } from '../store/count-up-to.ts'
import { type Db, insertRows, marks, portions } from '../store/port.ts'
import type { AuditRow } from '../store/rows.ts'
import { where } from '../store/where.ts'

export type { AuditRow }

type NewRow = Omit<AuditRow, 'seq' | 'first'> & Partial<Pick<AuditRow, 'first'>>

export const append = async (db: Db, row: NewRow): Promise<number> => {
  const added = await db.get<{ seq: number }>(
    'INSERT INTO audit (at, actor, session, operation, task, before, after, first) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq',
    row.at,
    row.actor,
    row.session,
    row.operation,
    row.task,
    row.before,
    row.after,
    row.first ?? null,
  )
  return Number(added!.seq)
}

export const appendMany = (db: Db, rows: readonly NewRow[]): Promise<void> => insertRows(db, 'audit', rows)

export interface AuditFilter {
  task?: string
  session?: string
  actor?: string
  operation?: string
  before?: number
  limit: number
}

/** Returns the newest rows first. Counts the matches, but only up to a thousand. */
export const read = async (db: Db, filter: AuditFilter): Promise<Total & { rows: AuditRow[] }> => {
  const { before, limit, ...equals } = filter
  const wanted = Object.fromEntries(Object.entries(equals).map(([column, value]) => [`${column} = ?`, value]))
  const counted = where(wanted)
  const paged = where({ ...wanted, 'seq < ?': before })
  const total = await countUpTo(db, `SELECT 1 FROM audit ${counted.sql}`, ...counted.params)
  const rows = await db.all<AuditRow>(
    `SELECT * FROM audit ${paged.sql} ORDER BY seq DESC LIMIT ?`,
    ...paged.params,
    limit,
  )
  return { rows, ...total }
}

/** Returns the tasks that were changed in a session, in the order of their first change. */
export const touched = async (db: Db, session: string): Promise<string[]> => {
  const rows = await db.all<{ task: string }>(
    'SELECT task, min(seq) AS first FROM audit WHERE session = ? AND task IS NOT NULL GROUP BY task ORDER BY first',
    session,
  )
  return rows.map(({ task }) => task)
}

/**
 * Returns the rows of the last command that an actor ran, oldest first. Rows about ingested manifest lines do not count
 * as a command, because any command can ingest lines before it makes its own changes.
 */
export const lastCommand = async (db: Db, actor: string): Promise<AuditRow[]> => {
  const last = await db.get<AuditRow>(
    "SELECT * FROM audit WHERE actor = ? AND operation <> 'pipeline.manifest.sync' ORDER BY seq DESC LIMIT 1",
    actor,
  )
  if (!last) return []
  const first = last.first ?? last.seq
  return db.all<AuditRow>('SELECT * FROM audit WHERE seq = ? OR first = ? ORDER BY seq', first, first)
}

export const lastSeq = async (db: Db): Promise<number> =>
  Number((await db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM audit'))?.seq ?? 0)

/**
 * Returns the time at which the row `seq` was written; 0 if there is no such row. If a later call returns another time
 * for the same row, the log was replaced.
 */
export const timeOf = async (db: Db, seq: number): Promise<number> =>
  Number((await db.get<{ at: number }>('SELECT at FROM audit WHERE seq = ?', seq))?.at ?? 0)

/**
 * Returns the rows with a higher number than `seq`, oldest first. If `task` is given, returns only rows about that task
 * and the tasks below it.
 */
export const rowsAfter = (
  db: Db,
  seq: number,
  task: string | undefined,
  limit: number,
): Promise<AuditRow[]> =>
  task === undefined
    ? db.all<AuditRow>('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)
    : db.all<AuditRow>(
        `SELECT audit.* FROM audit JOIN tasks ON tasks.id = audit.task
         WHERE audit.seq > ? AND (tasks.root = ? OR tasks.id = ? OR tasks.parent = ?) ORDER BY audit.seq LIMIT ?`,
        seq,
        task,
        task,
        task,
        limit,
      )

export const newest = (db: Db): Promise<AuditRow | undefined> =>
  db.get<AuditRow>('SELECT * FROM audit ORDER BY seq DESC LIMIT 1')

/**
 * Returns the rows about these tasks that were written after row `first`, by other commands than the one that wrote
 * `first`. The tasks are queried in portions, and each query returns at most `limit` rows, oldest first. So the result
 * can have more than `limit` rows.
 */
export const laterAbout = async (
  db: Db,
  tasks: readonly string[],
  first: number,
  limit: number,
): Promise<AuditRow[]> => {
  const found: AuditRow[] = []
  for (const some of portions(tasks))
    found.push(
      ...(await db.all<AuditRow>(
        `SELECT * FROM audit WHERE task IN (${marks(some.length)}) AND seq > ? AND coalesce(first, seq) <> ?
         ORDER BY seq LIMIT ?`,
        ...some,
        first,
        first,
        limit,
      )),
    )
  return found
}
