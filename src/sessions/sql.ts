import type { Db } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'
import { where } from '../store/where.ts'

export const find = (db: Db, id: string): Promise<SessionRow | undefined> =>
  db.get<SessionRow>('SELECT * FROM sessions WHERE id = ?', id)

export const insert = async (
  db: Db,
  session: Pick<SessionRow, 'id' | 'name' | 'scope' | 'actor' | 'started_at'>,
): Promise<void> => {
  await db.run(
    "INSERT INTO sessions (id, name, scope, status, actor, started_at) VALUES (?, ?, ?, 'active', ?, ?)",
    session.id,
    session.name,
    session.scope,
    session.actor,
    session.started_at,
  )
}

export const activeOf = (db: Db, actor: string, scope: string): Promise<SessionRow | undefined> =>
  db.get<SessionRow>(
    "SELECT * FROM sessions WHERE status = 'active' AND actor = ? AND scope = ? ORDER BY seq DESC LIMIT 1",
    actor,
    scope,
  )

export const allActiveOf = (db: Db, actor: string, limit: number): Promise<SessionRow[]> =>
  db.all<SessionRow>(
    "SELECT * FROM sessions WHERE status = 'active' AND actor = ? ORDER BY seq DESC LIMIT ?",
    actor,
    limit,
  )

/**
 * `own`: the newest sessions of the epic. `others`: the newest sessions without an epic. If no epic is given, `own` has
 * the newest of all sessions, and `others` is empty.
 */
export const newest = async (
  db: Db,
  epic: string | undefined,
  limit: number,
): Promise<{ own: string[]; others: string[] }> => {
  const newestOf = (condition: string) => `(SELECT id FROM sessions ${condition} ORDER BY seq DESC LIMIT ?)`
  const rows = await (epic === undefined
    ? db.all<{ id: string; own: number }>(`SELECT id, 1 AS own FROM ${newestOf('')} AS own_sessions`, limit)
    : db.all<{ id: string; own: number }>(
        `SELECT id, 1 AS own FROM ${newestOf('WHERE scope = ?')} AS own_sessions
         UNION ALL SELECT id, 0 AS own FROM ${newestOf('WHERE scope IS NULL')} AS other_sessions`,
        epic,
        limit,
        limit,
      ))
  const idsOf = (own: number) => rows.flatMap((row) => (Number(row.own) === own ? [row.id] : []))
  return { own: idsOf(1), others: idsOf(0) }
}

export const setStatus = async (db: Db, id: string, status: SessionRow['status'], endedAt: number | null) => {
  await db.run('UPDATE sessions SET status = ?, ended_at = ? WHERE id = ?', status, endedAt, id)
}

export const list = async (
  db: Db,
  filter: { status?: SessionRow['status']; before?: number; limit: number },
) => {
  const counted = where({ 'status = ?': filter.status })
  const paged = where({ 'status = ?': filter.status, 'seq < ?': filter.before })
  const rows = await db.all<SessionRow>(
    `SELECT * FROM sessions ${paged.sql} ORDER BY seq DESC LIMIT ?`,
    ...paged.params,
    filter.limit,
  )
  const total = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM sessions ${counted.sql}`,
    ...counted.params,
  )
  return { rows, total: Number(total!.n) }
}
