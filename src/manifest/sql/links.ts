import type { Db } from '../../store/port.ts'

export interface LinkRow {
  task: string
  entry: string
  at: number
  actor: string
}

/** Links a task to an entry. Returns false if the two were linked already. */
export const add = async (db: Db, { task, entry, at, actor }: LinkRow): Promise<boolean> =>
  (await db.run(
    'INSERT INTO links (task, entry, at, actor) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    task,
    entry,
    at,
    actor,
  )) > 0

export const remove = async (db: Db, task: string, entry: string): Promise<boolean> =>
  (await db.run('DELETE FROM links WHERE task = ? AND entry = ?', task, entry)) > 0

export const ofTask = (db: Db, task: string): Promise<LinkRow[]> =>
  db.all<LinkRow>('SELECT * FROM links WHERE task = ? ORDER BY at, entry', task)

export const ofEntry = (db: Db, entry: string): Promise<LinkRow[]> =>
  db.all<LinkRow>('SELECT * FROM links WHERE entry = ? ORDER BY at, task', entry)
