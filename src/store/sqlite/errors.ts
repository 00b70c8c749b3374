import { stat, whyNotWritable } from '../../host/node-database-files.ts'
import { ownLink } from '../../host/node-own-links.ts'
import { type Failure, fail, Refused } from '../../kernel/result.ts'
import { diskReasons } from '../../refusals/disk-reasons.ts'

interface SqliteError extends Error {
  errcode: number
  errstr: string
}

const busyCode = 5
const readOnly = 8
const ioError = 10
const full = 13
const cannotOpen = 14
const primary = (error: SqliteError) => error.errcode & 0xff
const isSqlite = (error: unknown): error is SqliteError =>
  error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number'

export const isBusy = (error: unknown): boolean => isSqlite(error) && primary(error) === busyCode

/** Writes to the disk to find out what is wrong with it, because SQLite's own errors do not name the cause. */
const unwritable = (path: string, error: SqliteError): Failure => {
  const link = ['-wal', '-shm'].map((part) => ownLink(path + part)).find((each) => each !== undefined)
  if (link) return fail('file.link', { path: link })
  if (stat(path)?.isDirectory()) return fail('store.foreign', { path })
  const problem = writeProblem(path) ?? (primary(error) === full ? fail('store.full', { path }) : undefined)
  return problem ?? fail('store.disk_error', { path, reason: error.errstr })
}

/**
 * Returns why a new process of this user could not write the database; undefined if it could. A process that opened
 * the database earlier can sometimes still write it.
 */
export const writeProblem = (path: string): Failure | undefined => {
  switch (whyNotWritable(path)) {
    case 'full':
      return fail('store.full', { path })
    case 'quota':
      return fail('store.quota', { path })
    case 'readonly':
      return fail('store.disk_readonly', { path })
    case 'denied':
      return fail('store.readonly', { path, reason: diskReasons.denied })
    default:
      return undefined
  }
}

/** Turns an error of SQLite into a refusal; returns any other error unchanged. */
export const explain = (error: unknown, path: string): unknown => {
  if (!isSqlite(error)) return error
  if (/no such table: (main\.)?audit$/.test(error.message))
    return new Refused(fail('store.moved', { where: path }))
  switch (primary(error)) {
    case busyCode:
    case 6:
      return new Refused(fail('store.busy', { path, seconds: 15 }))
    case 3:
    case readOnly:
    case ioError:
    case full:
    case cannotOpen:
    case 23:
      return new Refused(unwritable(path, error))
    case 11:
      return new Refused(fail('store.corrupt', { path, reason: error.errstr }))
    case 26:
      return new Refused(fail('store.foreign', { path }))
    default:
      return error
  }
}
