import type { Stats } from 'node:fs'

// Functions for database files. Never open the files of a database in use: closing them would drop SQLite's locks.
// `node:fs` is loaded on first use: see `bun.ts`.
const fs = () => process.getBuiltinModule('node:fs')

/** Endings of a database's files: the database itself, its log, and the index of the log. */
const parts = ['', '-wal', '-shm'] as const

export const stat = (path: string): Stats | undefined => fs().statSync(path, { throwIfNoEntry: false })

export const exists = (path: string): boolean => stat(path) !== undefined

export const makeFolder = (path: string): void => void fs().mkdirSync(path, { recursive: true, mode: 0o700 })

/** Creates an empty file that only this user may read; throws EEXIST if the name is taken. */
export const createPrivate = (path: string): void => fs().closeSync(fs().openSync(path, 'wx', 0o600))

export const makePrivate = (path: string): void => fs().chmodSync(path, 0o600)

/** Flushes a file to disk. */
export const sync = (path: string): void => {
  const file = fs().openSync(path, 'r+')
  fs().fsyncSync(file)
  fs().closeSync(file)
}

/** Gives a file a second name; throws EEXIST if the name is taken. */
export const link = (path: string, name: string): void => fs().linkSync(path, name)

export const rename = (from: string, to: string): void => fs().renameSync(from, to)

/** Removes a file, or a folder with everything in it, if it exists. */
export const remove = (path: string): void => fs().rmSync(path, { recursive: true, force: true })

/** Removes all files of a database, which must not be open. */
export const removeDatabase = (path: string): void => {
  for (const part of parts) remove(path + part)
}

/** Returns the endings of those files of a database that exist. */
export const partsOf = (path: string): string[] => parts.filter((part) => exists(path + part))

export const isNameTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** Returns the message of a file system error; undefined for any other error. */
export const fileError = (error: unknown): string | undefined => {
  const { errno, message } = error as NodeJS.ErrnoException
  return typeof errno === 'number' ? message : undefined
}
