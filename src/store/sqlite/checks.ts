import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { refuse } from '../../model/result.ts'

/** The number of the newest migration. */
export const schemaVersion = 1

/** "CLEO" in the file's header, so that nobody else's database is mistaken for ours. */
export const applicationId = 0x434c454f

/** SQLite before 3.51.3 (3.50.7 in its line) can lose committed pages in WAL mode. */
export const checkVersion = (database: DatabaseSync): void => {
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  if (!isSafe(version)) refuse('store.unsafe', { version })
}

export const isSafe = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major !== 3) return major > 3
  if (minor === 50) return patch >= 7
  return minor > 51 || (minor === 51 && patch >= 3)
}

/** Answers the schema version of the file. */
export const checkFile = (database: DatabaseSync, path: string): number => {
  const facts = database
    .prepare(
      `SELECT (SELECT application_id FROM pragma_application_id) AS application,
              (SELECT user_version FROM pragma_user_version) AS version,
              (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes`,
    )
    .get() as { application: number; version: number; bytes: number }
  if (facts.application !== applicationId) refuse('store.foreign', { path })
  if (facts.version > schemaVersion) refuse('store.newer', { path, found: facts.version, known: schemaVersion })
  if (statSync(path).size < facts.bytes && !hasWal(path)) refuse('store.corrupt', { path, reason: 'it is cut short' })
  return facts.version
}

// Pages that were added and not yet moved into the main file are in the WAL.
const hasWal = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
