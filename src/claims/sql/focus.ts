import type { Db } from '../../store/port.ts'
import type { FocusRow } from '../../store/rows.ts'

export type { FocusRow }

/**
 * Returns the key of a session in the table of focuses, where each agent has one focus per session. Without a session,
 * the key is the empty string.
 */
const key = (session: string | undefined) => session ?? ''

export const current = (db: Db, session: string | undefined, agent: string): Promise<FocusRow | undefined> =>
  db.get<FocusRow>('SELECT * FROM focus WHERE session = ? AND agent = ?', key(session), agent)

/**
 * Returns the time at which this agent set its focus on the task, in any session; undefined if it has no focus on
 * the task.
 */
export const since = async (db: Db, agent: string, task: string): Promise<number | undefined> => {
  const row = await db.get<{ since: number | null }>(
    'SELECT min(since) AS since FROM focus WHERE agent = ? AND task = ?',
    agent,
    task,
  )
  return row?.since == null ? undefined : Number(row.since)
}

export const set = async (db: Db, focus: { session?: string; agent: string; task: string; now: number }) => {
  await db.run(
    `INSERT INTO focus (session, agent, task, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (session, agent) DO UPDATE SET task = excluded.task, since = excluded.since`,
    key(focus.session),
    focus.agent,
    focus.task,
    focus.now,
  )
}

/** Removes every focus on a task that was closed, blocked or released. */
export const drop = async (db: Db, task: string): Promise<void> => {
  await db.run('DELETE FROM focus WHERE task = ?', task)
}
