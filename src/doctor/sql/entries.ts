import type { SpawnRow } from '../../claims/sql/spawns.ts'
import type { EntryRow } from '../../manifest/sql/entries.ts'
import type { Db } from '../../store/port.ts'
import { openStatuses } from '../../store/rows.ts'
import type { LimitedRows } from './limited.ts'

export type EntryWithOutput = Pick<EntryRow, 'id' | 'task' | 'body' | 'sha256' | 'place'> & {
  /** The options of the entry's spawn, as JSON. */
  asked: string | null
}

/** Newest first. Leaves out entries of cancelled tasks. */
export const entriesWithOutput = (db: Db, limit: number): Promise<EntryWithOutput[]> =>
  db.all<EntryWithOutput>(
    `SELECT entries.id AS id, entries.task AS task, body, sha256, place, asked
     FROM entries LEFT JOIN spawns ON spawns.id = entries.spawn LEFT JOIN tasks ON tasks.id = entries.task
     WHERE sha256 IS NOT NULL AND (tasks.status IS NULL OR tasks.status <> 'cancelled') ORDER BY entries.seq DESC LIMIT ?`,
    limit,
  )

export type EntryLine = Pick<EntryRow, 'id' | 'line_sha256' | 'place'>

export const entryLines = (db: Db): Promise<EntryLine[]> =>
  db.all<EntryLine>('SELECT id, line_sha256, place FROM entries ORDER BY seq')

/**
 * Counts the lines that were quarantined since a time. Returns the count in one row, with file and reason of the newest
 * line. Returns no row if the count is 0.
 */
export const quarantinedSince = async (
  db: Db,
  moment: number,
): Promise<LimitedRows<{ count: number; path: string; reason: string }>> => {
  const counted = await db.get<{ n: number }>('SELECT count(*) AS n FROM quarantine WHERE at >= ?', moment)
  const last = await db.get<{ path: string; reason: string }>(
    'SELECT path, reason FROM quarantine ORDER BY seq DESC LIMIT 1',
  )
  const count = Number(counted!.n)
  return count === 0 || !last ? { rows: [], total: 0 } : { rows: [{ count, ...last }], total: 1 }
}

export type OpenSpawn = Pick<
  SpawnRow,
  'seq' | 'id' | 'task' | 'tier' | 'hash' | 'started_at' | 'asked' | 'prompt'
>

const page = 200

/** Yields the last attempt at every open task. Reads in pages because prompts are long. */
export async function* openSpawns(db: Db): AsyncGenerator<OpenSpawn> {
  for (let after = 0; ; ) {
    const rows = await db.all<OpenSpawn>(
      `SELECT spawns.seq AS seq, spawns.id AS id, task, tier, hash, started_at, asked, prompt
       FROM spawns JOIN tasks ON tasks.id = spawns.task
       WHERE spawns.seq > ? AND tasks.status IN ${openStatuses}
         AND attempt = (SELECT max(later.attempt) FROM spawns later WHERE later.task = spawns.task)
       ORDER BY spawns.seq LIMIT ?`,
      after,
      page,
    )
    yield* rows
    if (rows.length < page) return
    after = Number(rows.at(-1)!.seq)
  }
}
