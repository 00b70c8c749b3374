import { type Db, marks } from '../../store/port.ts'

export interface NoteRow {
  at: number
  actor: string
  text: string
}

export const ofTask = (db: Db, task: string): Promise<NoteRow[]> =>
  db.all<NoteRow>('SELECT at, actor, text FROM notes WHERE task = ? ORDER BY seq', task)

/** The notes are in the order in which they were written. */
export const latestOf = async (db: Db, task: string, most: number): Promise<NoteRow[]> => {
  const rows = await db.all<NoteRow>(
    'SELECT at, actor, text FROM notes WHERE task = ? ORDER BY seq DESC LIMIT ?',
    task,
    most,
  )
  return rows.reverse()
}

export const countOf = async (db: Db, task: string): Promise<number> =>
  Number((await db.get<{ n: number }>('SELECT count(*) AS n FROM notes WHERE task = ?', task))!.n)

export const ofSession = (db: Db, session: string): Promise<NoteRow[]> =>
  db.all<NoteRow>(
    'SELECT at, actor, text FROM notes WHERE session = ? AND task IS NULL ORDER BY seq',
    session,
  )

/** Returns the newest hand-over of these sessions. */
export const latestOfSessions = (
  db: Db,
  ids: readonly string[],
): Promise<(NoteRow & { session: string }) | undefined> =>
  db.get<NoteRow & { session: string }>(
    `SELECT session, at, actor, text FROM notes WHERE session IN (${marks(ids.length)}) AND task IS NULL
     ORDER BY seq DESC LIMIT 1`,
    ...ids,
  )

export const add = async (db: Db, note: NoteRow & { task?: string; session?: string }): Promise<void> => {
  await db.run(
    'INSERT INTO notes (task, session, at, actor, text) VALUES (?, ?, ?, ?, ?)',
    note.task ?? null,
    note.session ?? null,
    note.at,
    note.actor,
    note.text,
  )
}

/** Removes the note with exactly this content. Returns false if there is no such note. */
export const remove = async (
  db: Db,
  { task, at, actor, text }: NoteRow & { task: string },
): Promise<boolean> =>
  (await db.run(
    `DELETE FROM notes WHERE seq = (
       SELECT max(seq) FROM notes WHERE task = ? AND at = ? AND actor = ? AND text = ?)`,
    task,
    at,
    actor,
    text,
  )) > 0
