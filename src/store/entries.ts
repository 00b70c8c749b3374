import { type Db, marks } from './port.ts'

export interface EntryRow {
  seq: number
  id: string
  task: string
  spawn: string | null
  status: 'complete' | 'partial' | 'blocked'
  /** The entry itself, as one line of JSON. */
  body: string
  /** Of the output file when the entry came. */
  sha256: string | null
  appended_at: number
  /** Hash of the line as it stands in the file; empty where there is none. */
  line_sha256: string
  /** The work folder whose file that is; empty for the project's own. */
  place: string
}

/** The newest entry of each of some tasks, oldest first. */
export const latestOf = (db: Db, tasks: readonly string[]): Promise<EntryRow[]> =>
  tasks.length === 0
    ? Promise.resolve([])
    : db.all<EntryRow>(
        `SELECT * FROM entries WHERE seq IN
           (SELECT max(seq) FROM entries WHERE task IN (${marks(tasks.length)}) GROUP BY task)
         ORDER BY seq`,
        ...tasks,
      )

/** The newest entry of a spawn. */
export const ofSpawn = (db: Db, spawn: string): Promise<EntryRow | undefined> =>
  db.get<EntryRow>('SELECT * FROM entries WHERE spawn = ? ORDER BY seq DESC LIMIT 1', spawn)

export const find = (db: Db, id: string): Promise<EntryRow | undefined> =>
  db.get<EntryRow>('SELECT * FROM entries WHERE id = ?', id)
