import { DatabaseSync } from 'node:sqlite'
import * as disk from '../../host/node-database-files.ts'
import { fail, Refused, refuse } from '../../kernel/result.ts'
import { freeName } from './backup-names.ts'
import { checkFile, projectOf } from './check-file.ts'
import { explain } from './errors.ts'

const lockMs = 15_000

export interface SavedBackup {
  tasks: number
  bytes: number
}

/**
 * Copies the current state of a database into a new file, while writers continue. The file appears complete or not at
 * all. Returns undefined if the name is taken.
 */
export const saveSqlite = (
  path: string,
  target: string,
  { unique, dryRun = false }: { unique: string; dryRun?: boolean },
): SavedBackup | undefined => {
  const draft = `${target}.${unique}`
  try {
    // Create an empty file first, so that the copy is private from the start.
    disk.createPrivate(draft)
    reading(path, (database) => database.prepare('VACUUM INTO ?').run(draft))
    disk.sync(draft)
    const saved = { tasks: reading(draft, countTasks), bytes: disk.stat(draft)!.size }
    if (!dryRun) disk.link(draft, target)
    return saved
  } catch (error) {
    if (disk.isNameTaken(error)) return undefined
    throw unwritable(explain(error, target), target)
  } finally {
    disk.remove(draft)
  }
}

export const unwritable = (error: unknown, path: string): unknown => {
  const reason = disk.fileError(error)
  return reason === undefined ? error : new Refused(fail('file.unwritable', { path, reason }))
}

const reading = <T>(path: string, work: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockMs })
  try {
    database.exec('PRAGMA trusted_schema = OFF')
    return work(database)
  } finally {
    database.close()
  }
}

const countTasks = (database: DatabaseSync): number =>
  (database.prepare('SELECT count(*) AS n FROM tasks').get() as { n: number }).n

/** Returns the number of tasks in a file without changing it; refuses a file that is not an intact CLEO database. */
export const examine = (path: string, { thorough }: { thorough: boolean }): number => {
  try {
    return reading(path, (database) => {
      checkFile(database, path)
      const found = thorough ? database.prepare('PRAGMA integrity_check(1)').get() : undefined
      const [verdict = 'ok'] = Object.values(found ?? {})
      if (verdict !== 'ok') refuse('store.corrupt', { path, reason: String(verdict) })
      return countTasks(database)
    })
  } catch (error) {
    const known = explain(error, path)
    if (known !== error || !(error instanceof Error) || !('errcode' in error)) throw known
    return refuse('store.corrupt', { path, reason: error.message })
  }
}

/** Undefined if the file was written before projects had ids, or cannot be read as a database of CLEO. */
export const projectIn = (path: string): string | undefined => {
  try {
    return reading(path, (database) => projectOf(database, checkFile(database, path)))
  } catch (error) {
    if (error instanceof Refused || explain(error, path) !== error) return undefined
    throw error
  }
}

export interface BackupFile {
  /** When the backup was written, in milliseconds. */
  at: number
  bytes: number
  tasks?: number
  /** Why the backup cannot be restored. */
  invalid?: string
}

export const describeBackup = (path: string, options: { thorough: boolean }): BackupFile | undefined => {
  const stat = disk.stat(path)
  if (!stat?.isFile()) return undefined
  const found = { at: Math.floor(stat.mtimeMs), bytes: stat.size }
  try {
    return { ...found, tasks: examine(path, options) }
  } catch (error) {
    return { ...found, invalid: reasonFor(error) }
  }
}

const reasonFor = (error: unknown): string => {
  const failure = error instanceof Refused ? error.failure : undefined
  switch (failure?.code) {
    case 'store.newer':
      return 'a newer CLEO wrote it'
    case 'store.corrupt':
      return 'it is damaged'
    case 'store.busy':
      return 'another process keeps it locked'
    case 'store.readonly':
    case 'store.full':
    case 'store.quota':
    case 'store.disk_readonly':
    case 'store.disk_error':
      return 'it cannot be opened'
    default:
      return 'it is not a CLEO database'
  }
}

/** Turns a sealed database into a backup that can be opened, and removes the sealed one. */
export const turnIntoBackup = (path: string, folder: string, name: string): string => {
  const target = freeName(folder, name)
  const sealed = new DatabaseSync(path)
  sealed.prepare('VACUUM INTO ?').run(target)
  sealed.close()
  const kept = new DatabaseSync(target)
  kept.exec('ALTER TABLE audit_moved RENAME TO audit')
  kept.close()
  disk.makePrivate(target)
  disk.removeDatabase(path)
  return target
}
