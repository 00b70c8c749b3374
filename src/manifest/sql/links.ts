import type { Db } from '../../store/port.ts'
import type { EntryRow } from '../../store/rows.ts'

export interface LinkRow {
  task: string
  entry: string
  at: number
  actor: string
}

/** Returns false if the entry was already linked to the task. */
export const add = async (db: Db, { task, entry, at, actor }: LinkRow): Promise<boolean> =>
  (await db.run(
    'INSERT INTO links (task, entry, at, actor) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    task,
    entry,
    at,
    actor,
  )) > 0

/** The tasks that the entry names must exist. */
export const addNamed = async (
  db: Db,
  { linked_tasks }: { linked_tasks?: readonly string[] },
  link: Omit<LinkRow, 'task'>,
): Promise<void> => {
  for (const task of linked_tasks ?? []) await add(db, { ...link, task })
}

export const remove = async (db: Db, task: string, entry: string): Promise<boolean> =>
  (await db.run('DELETE FROM links WHERE task = ? AND entry = ?', task, entry)) > 0

export const ofTask = (db: Db, task: string): Promise<LinkRow[]> =>
  db.all<LinkRow>('SELECT * FROM links WHERE task = ? ORDER BY at, entry', task)

/** Returns the last `limit` entries that are linked to a task, in the order in which they were stored. */
export const entriesOfTask = async (db: Db, task: string, limit: number): Promise<EntryRow[]> => {
  const rows = await db.all<EntryRow>(
    `SELECT entries.* FROM links JOIN entries ON entries.id = links.entry
     WHERE links.task = ? ORDER BY seq DESC LIMIT ?`,
    task,
    limit,
  )
  return rows.toReversed()
}

export const ofEntry = (db: Db, entry: string): Promise<LinkRow[]> =>
  db.all<LinkRow>('SELECT * FROM links WHERE entry = ? ORDER BY at, task', entry)
