import { countUpTo, type Total } from '../store/count-up-to.ts'
import { type Db, insertRows } from '../store/port.ts'
import type { AuditRow } from '../store/rows.ts'
import { where } from '../store/where.ts'

export type { AuditRow }

export const append = async (db: Db, row: Omit<AuditRow, 'seq'>): Promise<void> => {
  await db.run(
    'INSERT INTO audit (at, actor, session, operation, task, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)',
    row.at,
    row.actor,
    row.session,
    row.operation,
    row.task,
    row.before,
    row.after,
  )
}

export const appendMany = (db: Db, rows: readonly Omit<AuditRow, 'seq'>[]): Promise<void> =>
  insertRows(db, 'audit', rows)

export interface AuditFilter {
  task?: string
  session?: string
  actor?: string
  operation?: string
  before?: number
  limit: number
}

/** Reads the matching rows of the audit log, newest first, and counts them up to a thousand. */
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
