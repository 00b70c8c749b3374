import { numbered } from '../../kernel/entry-id.ts'
import { type Db, insertRows, marks, type Param, portions } from '../../store/port.ts'
import type { EntryRow } from '../../store/rows.ts'
import { where } from '../../store/where.ts'

export type { EntryRow }

/** The list is sorted from the oldest to the newest entry. */
export const latestOf = (db: Db, tasks: readonly string[]): Promise<EntryRow[]> =>
  tasks.length === 0
    ? Promise.resolve([])
    : db.all<EntryRow>(
        `SELECT * FROM entries WHERE seq IN
           (SELECT max(seq) FROM entries WHERE task IN (${marks(tasks.length)}) GROUP BY task)
         ORDER BY seq`,
        ...tasks,
      )

export const ofSpawn = (db: Db, spawn: string): Promise<EntryRow | undefined> =>
  db.get<EntryRow>('SELECT * FROM entries WHERE spawn = ? ORDER BY seq DESC LIMIT 1', spawn)

/**
 * Returns the entry that decides the outcome of a task. For a spawned task, this is the newest entry of the given
 * spawn. Otherwise it is the newest entry since the task was last reopened or unblocked.
 */
export const deciding = (db: Db, task: string, spawn: string | undefined): Promise<EntryRow | undefined> =>
  spawn === undefined
    ? db.get<EntryRow>(
        `SELECT * FROM entries WHERE task = ? AND NOT EXISTS (
           SELECT 1 FROM audit WHERE audit.task = entries.task AND audit.at >= entries.appended_at
             AND audit.operation IN ('tasks.reopen', 'tasks.unblock', 'inbox.answer'))
         ORDER BY seq DESC LIMIT 1`,
        task,
      )
    : ofSpawn(db, spawn)

/** Records that the output file and the manifest line of an entry are now in the project folder. */
export const setInProject = async (db: Db, id: string): Promise<void> => {
  await db.run("UPDATE entries SET place = '' WHERE id = ?", id)
}

export const allOfSpawn = (db: Db, spawn: string): Promise<EntryRow[]> =>
  db.all<EntryRow>('SELECT * FROM entries WHERE spawn = ? ORDER BY seq LIMIT 50', spawn)

export const find = (db: Db, id: string): Promise<EntryRow | undefined> =>
  db.get<EntryRow>('SELECT * FROM entries WHERE id = ?', id)

export type NewEntry = Omit<EntryRow, 'seq'>

export const insert = (db: Db, rows: readonly NewEntry[]): Promise<void> => insertRows(db, 'entries', rows)

export const findMany = async (db: Db, ids: readonly string[]): Promise<Map<string, EntryRow>> => {
  const found = new Map<string, EntryRow>()
  for (const some of portions(ids)) {
    const rows = await db.all<EntryRow>(`SELECT * FROM entries WHERE id IN (${marks(some.length)})`, ...some)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

export const knownLines = async (db: Db, hashes: readonly string[]): Promise<Set<string>> => {
  const known = new Set<string>()
  for (const some of portions(hashes)) {
    const rows = await db.all<{ line_sha256: string }>(
      `SELECT line_sha256 FROM entries WHERE line_sha256 IN (${marks(some.length)})`,
      ...some,
    )
    for (const { line_sha256 } of rows) known.add(line_sha256)
  }
  return known
}

export const entryNumbers = async (
  db: Db,
  lines: readonly string[],
  ids: readonly string[],
): Promise<number[]> => {
  const found: number[] = []
  for (const [column, values] of [
    ['line_sha256', lines],
    ['id', ids],
  ] as const) {
    for (const some of portions(values)) {
      const rows = await db.all<{ seq: number }>(
        `SELECT seq FROM entries WHERE ${column} IN (${marks(some.length)})`,
        ...some,
      )
      for (const { seq } of rows) found.push(Number(seq))
    }
  }
  return found
}

export const newestOfSpawns = async (db: Db, spawns: readonly string[]): Promise<Map<string, string>> => {
  const newest = new Map<string, string>()
  for (const some of portions(spawns)) {
    const rows = await db.all<{ spawn: string; id: string }>(
      `SELECT spawn, id FROM entries WHERE spawn IN (${marks(some.length)}) ORDER BY seq`,
      ...some,
    )
    for (const { spawn, id } of rows) newest.set(spawn, id)
  }
  return newest
}

export interface EntryFilter {
  task?: string
  epic?: string
  status?: EntryRow['status']
  agentType?: string
}

export const list = async (
  db: Db,
  { task, epic, status, agentType }: EntryFilter,
  { before, limit }: { before?: number; limit: number },
): Promise<{ rows: EntryRow[]; total: number }> => {
  const wanted: Record<string, Param | undefined> = {
    'task = ?': task,
    '(SELECT root FROM tasks WHERE tasks.id = entries.task) = ?': epic,
    'status = ?': status,
    // CLEO wrote the body as JSON, where quotes inside strings are escaped. So this pattern cannot match inside a
    // string.
    'body LIKE ?': agentType && `%"agent_type":"${agentType}"%`,
  }
  const counted = where(wanted)
  const paged = where({ ...wanted, 'seq < ?': before })
  const total = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM entries ${counted.sql}`,
    ...counted.params,
  )
  const rows = await db.all<EntryRow>(
    `SELECT * FROM entries ${paged.sql} ORDER BY seq DESC LIMIT ?`,
    ...paged.params,
    limit,
  )
  return { rows, total: Number(total!.n) }
}

const pageSize = 500

/** Yields every entry, oldest first, without holding all of them in memory. */
export async function* all(db: Db): AsyncGenerator<EntryRow> {
  for (let last = 0; ; ) {
    const rows = await db.all<EntryRow>(
      'SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT ?',
      last,
      pageSize,
    )
    yield* rows
    if (rows.length < pageSize) return
    last = rows.at(-1)!.seq
  }
}

export const counts = async (db: Db): Promise<{ tasks: number; status: Map<string, number> }> => {
  const rows = await db.all<{ status: string; n: number }>(
    'SELECT status, count(*) AS n FROM entries GROUP BY status ORDER BY status',
  )
  const tasks = await db.get<{ n: number }>('SELECT count(DISTINCT task) AS n FROM entries')
  return { tasks: Number(tasks!.n), status: new Map(rows.map(({ status, n }) => [status, Number(n)])) }
}

/** Returns which of these tasks have an entry that was submitted with a command. Ingested entries do not count. */
export const submittedFor = async (db: Db, tasks: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string }>(
      `SELECT DISTINCT task FROM entries WHERE task IN (${marks(some.length)}) AND origin = 'append'`,
      ...some,
    )
    for (const { task } of rows) found.add(task)
  }
  return found
}

/** Marks an ingested entry as submitted with a command, because its spawn has now submitted the same content. */
export const confirm = async (db: Db, id: string): Promise<void> => {
  await db.run("UPDATE entries SET origin = 'append' WHERE id = ?", id)
}

/** Records the hash of the line that replaces an entry's lost line in the manifest. */
export const setLine = async (db: Db, id: string, hash: string): Promise<void> => {
  await db.run('UPDATE entries SET line_sha256 = ? WHERE id = ?', hash, id)
}

/** Returns the first id among `id`, `id-2`, `id-3` … that is neither stored nor in `taken`. */
export const freeId = async (db: Db, id: string, taken?: ReadonlyMap<string, unknown>): Promise<string> => {
  for (let n = 1; ; n++) {
    const next = numbered(id, n)
    if (!taken?.has(next) && !(await find(db, next))) return next
  }
}
