import type { SpawnRow } from '../../claims/sql/spawns.ts'
import type { Db } from '../../store/port.ts'
import { openStatuses } from '../../store/rows.ts'

export type LiveSpawn = Pick<
  SpawnRow,
  'seq' | 'id' | 'task' | 'tier' | 'hash' | 'started_at' | 'asked' | 'prompt'
>

const page = 200

/** The last attempts at tasks that are still open, a page at a time: prompts are long. */
export async function* liveSpawns(db: Db): AsyncGenerator<LiveSpawn> {
  for (let after = 0; ; ) {
    const rows = await db.all<LiveSpawn>(
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
