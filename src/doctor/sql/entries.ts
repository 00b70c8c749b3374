import type { EntryRow } from '../../manifest/sql/entries.ts'
import type { Db } from '../../store/port.ts'

export type HandedIn = Pick<EntryRow, 'id' | 'task' | 'body' | 'sha256' | 'place'> & {
  /** What its spawn was asked for, as JSON. */
  asked: string | null
}

/** The newest entries that came with an output file, newest first. */
export const handedIn = (db: Db, limit: number): Promise<HandedIn[]> =>
  db.all<HandedIn>(
    `SELECT entries.id AS id, entries.task AS task, body, sha256, place, asked
     FROM entries LEFT JOIN spawns ON spawns.id = entries.spawn
     WHERE sha256 IS NOT NULL ORDER BY entries.seq DESC LIMIT ?`,
    limit,
  )

export type EntryLine = Pick<EntryRow, 'id' | 'line_sha256'>

/** Every entry, by its line. */
export const entryLines = (db: Db): Promise<EntryLine[]> =>
  db.all<EntryLine>('SELECT id, line_sha256 FROM entries ORDER BY seq')

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
