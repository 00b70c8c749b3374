import type { DatabaseSync } from 'node:sqlite'
import { refuse } from '../../kernel/result.ts'
import { schemaVersion } from '../generated/schema-version.ts'

/** "CLEO" in the file's header, so that no other database is mistaken for ours. */
export const applicationId = 0x434c454f

/** Refuses SQLite before 3.51.3 (or 3.50.7 in the 3.50 line), which can lose committed pages in WAL mode. */
export const checkVersion = (database: DatabaseSync): void => {
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  if (!isSafe(version)) refuse('store.unsafe', { version })
}

export const isSafe = (version: string): boolean => {
  const parts = version.split('.')
  const major = Number(parts[0])
  const minor = Number(parts[1])
  const patch = Number(parts[2])
  if (major !== 3) return major > 3
  if (minor === 50) return patch >= 7
  return minor > 51 || (minor === 51 && patch >= 3)
}

/** Returns the file's schema version. Refuses a file that is not a CLEO database or that a newer CLEO wrote. */
export const checkFile = (database: DatabaseSync, path: string): number => {
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0] as number
  if (pragma('application_id') !== applicationId) refuse('store.foreign', { path })
  const found = pragma('user_version')
  if (found > schemaVersion) refuse('store.newer', { path, found, known: schemaVersion })
  return found
}
