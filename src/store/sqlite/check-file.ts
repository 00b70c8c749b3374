import type { DatabaseSync } from 'node:sqlite'
import { refuse } from '../../kernel/result.ts'
import { schemaVersion } from '../generated/schema-version.ts'
import { isProjectId } from './project-mark.ts'

/** These bytes spell "CLEO". They are in the file's header, so that no other database is mistaken for ours. */
export const applicationId = 0x434c454f

/** The first schema version that stores the project id. */
const firstWithProject = 6

/** Undefined if the id is invalid or the file was written before projects had ids. */
export const projectOf = (database: DatabaseSync, schema: number): string | undefined => {
  if (schema < firstWithProject) return undefined
  const row = database.prepare('SELECT id FROM project').get() as { id: string } | undefined
  return row && isProjectId(row.id) ? row.id : undefined
}

interface Versions {
  version: string
  project?: string | null
}

/**
 * Refuses SQLite before 3.51.3 (or 3.50.7 in the 3.50 line), because older versions can lose committed pages in WAL
 * mode. If `withProject` is true, the statement that reads the version also reads the project id. Returns the id; null
 * if the database has no id; undefined if the table for it is missing, or if `withProject` is false.
 */
export const checkVersion = (database: DatabaseSync, withProject = false): string | null | undefined => {
  const { version, project } = readVersions(database, withProject)
  if (!isSafe(version)) refuse('store.unsafe', { version })
  return project
}

const readVersions = (database: DatabaseSync, withProject: boolean): Versions => {
  const version = 'SELECT sqlite_version() AS version'
  try {
    const project = withProject ? ', (SELECT id FROM project) AS project' : ''
    return database.prepare(version + project).get() as unknown as Versions
  } catch (error) {
    if (!withProject || !(error instanceof Error) || !error.message.includes('no such table')) throw error
    // The table with the project's id is missing. Doctor reports that, so read only the version here.
    return readVersions(database, false)
  }
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
