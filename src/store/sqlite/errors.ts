import { fail, Refused } from '../../kernel/result.ts'

interface SqliteError extends Error {
  errcode: number
  errstr: string
}

const busyCode = 5
const primary = (error: SqliteError) => error.errcode & 0xff
const isSqlite = (error: unknown): error is SqliteError =>
  error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number'

export const isBusy = (error: unknown): boolean => isSqlite(error) && primary(error) === busyCode

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
    case 8:
    case 14:
    case 23:
      return new Refused(fail('store.readonly', { path, reason: error.errstr }))
    case 13:
      return new Refused(fail('store.full', { path }))
    case 10:
      return new Refused(fail('store.readonly', { path, reason: error.errstr }))
    case 11:
      return new Refused(fail('store.corrupt', { path, reason: error.errstr }))
    case 26:
      return new Refused(fail('store.foreign', { path }))
    default:
      return error
  }
}
