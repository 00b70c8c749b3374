import type { EntryRow } from '../entries.ts'
import type { Db } from '../port.ts'

export type HandedIn = Pick<EntryRow, 'seq' | 'id' | 'task' | 'body' | 'sha256' | 'place'>

/** The newest entries that came with an output file, newest first. */
export const handedIn = (db: Db, limit: number): Promise<HandedIn[]> =>
  db.all<HandedIn>(
    'SELECT seq, id, task, body, sha256, place FROM entries WHERE sha256 IS NOT NULL ORDER BY seq DESC LIMIT ?',
    limit,
  )

export interface EntryLine {
  id: string
  line_sha256: string
}

/** Entries that stand in the project's own file. */
export const ownLines = (db: Db): Promise<EntryLine[]> =>
  db.all<EntryLine>("SELECT id, line_sha256 FROM entries WHERE place = '' AND line_sha256 <> '' ORDER BY seq")

/** How many parts of files were put into quarantine since some moment, and why the last one was. */
export const quarantinedSince = async (
  db: Db,
  moment: number,
): Promise<{ count: number; path?: string; reason?: string }> => {
  const counted = await db.get<{ n: number }>('SELECT count(*) AS n FROM quarantine WHERE at >= ?', moment)
  const last = await db.get<{ path: string; reason: string }>(
    'SELECT path, reason FROM quarantine ORDER BY seq DESC LIMIT 1',
  )
  return { count: Number(counted!.n), ...last }
}
