import { type Db, marks, portions } from '../../store/port.ts'

/** Bytes of a manifest that are not an entry, and the reason. */
export interface QuarantineRow {
  seq: number
  path: string
  /** The offset in the file at which the bytes begin. */
  byte: number
  /** The number of bytes. If there are many, `text` contains only the beginning. */
  bytes: number
  text: string
  sha256: string
  reason: string
  at: number
}

/** Skips a row whose hash is already in quarantine. Returns how many rows were added. */
export const add = async (db: Db, rows: readonly Omit<QuarantineRow, 'seq'>[]): Promise<number> => {
  let added = 0
  for (const { path, byte, bytes, text, sha256, reason, at } of rows)
    added += await db.run(
      `INSERT INTO quarantine (path, byte, bytes, text, sha256, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (sha256) DO NOTHING`,
      path,
      byte,
      bytes,
      text,
      sha256,
      reason,
      at,
    )
  return added
}

export const known = async (db: Db, hashes: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>()
  for (const some of portions(hashes)) {
    const rows = await db.all<{ sha256: string }>(
      `SELECT sha256 FROM quarantine WHERE sha256 IN (${marks(some.length)})`,
      ...some,
    )
    for (const { sha256 } of rows) found.add(sha256)
  }
  return found
}

/** `reasonFor` searches only this many of the newest lines. */
const mostSearched = 200

/** Returns why a line of the task was quarantined. Searches lines that were quarantined since `at`, newest first. */
export const reasonFor = async (
  db: Db,
  { task, at }: { task: string; at: number },
): Promise<string | undefined> => {
  const rows = await list(db, undefined, mostSearched)
  return rows.find((row) => row.at >= at && row.text.includes(`"${task}-`))?.reason
}

export const list = (db: Db, before: number | undefined, limit: number): Promise<QuarantineRow[]> =>
  db.all<QuarantineRow>(
    'SELECT * FROM quarantine WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  )

export const count = async (db: Db): Promise<number> => {
  const row = await db.get<{ n: number }>('SELECT count(*) AS n FROM quarantine')
  return Number(row!.n)
}
