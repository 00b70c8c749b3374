import type { Stats } from 'node:fs'

// Loaded by what needs it: see `bun.ts`.
const fs = () => process.getBuiltinModule('node:fs')

/** What SQLite keeps next to a database file. */
const parts = ['', '-wal', '-shm'] as const

/** File operations for databases. Never use them on the content of a database that is open: that drops SQLite's locks. */
export const stat = (path: string): Stats | undefined => fs().statSync(path, { throwIfNoEntry: false })

export const exists = (path: string): boolean => stat(path) !== undefined

export const makeFolder = (path: string): void => void fs().mkdirSync(path, { recursive: true, mode: 0o700 })

/** Creates an empty file that only this user may read; throws EEXIST if the name is taken. */
export const createPrivate = (path: string): void => fs().closeSync(fs().openSync(path, 'wx', 0o600))

export const makePrivate = (path: string): void => fs().chmodSync(path, 0o600)

/** Waits until a file is on disk. */
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

/** Removes a database that is not open, with its log. */
export const removeDatabase = (path: string): void => {
  for (const part of parts) remove(path + part)
}

/** Which parts of a database there are: the file itself, its log, its index of the log. */
export const partsOf = (path: string): string[] => parts.filter((part) => exists(path + part))

export const isNameTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** The reason, if it is a file system error; undefined for any other error. */
export const fileError = (error: unknown): string | undefined => {
  const { errno, message } = error as NodeJS.ErrnoException
  return typeof errno === 'number' ? message : undefined
}
