import type { Stats } from 'node:fs'
import type { DiskReason } from '../refusals/disk-reasons.ts'
import { diskReason, fileReason } from './errno.ts'
import { refuseOwnLinks } from './node-own-links.ts'

// Functions for database files. Never open the files of a database in use: closing them would release SQLite's locks.
// `node:fs` is loaded on first use: see `bun.ts`.
const fs = () => process.getBuiltinModule('node:fs')

/**
 * The endings of a database's file names: empty for the database itself, `-wal` for its log, and `-shm` for the index
 * of the log.
 */
const parts = ['', '-wal', '-shm'] as const

export const stat = (path: string): Stats | undefined => fs().statSync(path, { throwIfNoEntry: false })

export const exists = (path: string): boolean => stat(path) !== undefined

export const makeFolder = (path: string): void => {
  refuseOwnLinks(path)
  fs().mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Throws EEXIST if the name is taken. */
export const createPrivate = (path: string): void => {
  refuseOwnLinks(path)
  fs().closeSync(fs().openSync(path, 'wx', 0o600))
}

/** Throws EEXIST if the name is taken. */
export const writeNew = (path: string, text: string): void => {
  refuseOwnLinks(path)
  fs().writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
}

export const namesIn = (folder: string): string[] => {
  try {
    return fs().readdirSync(folder).sort()
  } catch {
    return []
  }
}

export const setChanged = (path: string, ms: number): void => fs().utimesSync(path, ms / 1000, ms / 1000)

export const makePrivate = (path: string): void => fs().chmodSync(path, 0o600)

export const sync = (path: string): void => {
  const file = fs().openSync(path, 'r+')
  fs().fsyncSync(file)
  fs().closeSync(file)
}

/** Throws EEXIST if the name is taken. */
export const link = (path: string, name: string): void => {
  refuseOwnLinks(name)
  fs().linkSync(path, name)
}

export const rename = (from: string, to: string): void => {
  refuseOwnLinks(to)
  fs().renameSync(from, to)
}

export const remove = (path: string): void => {
  refuseOwnLinks(path)
  fs().rmSync(path, { recursive: true, force: true })
}

/** The database must not be open. */
export const removeDatabase = (path: string): void => {
  for (const part of parts) remove(path + part)
}

export const partsOf = (path: string): string[] => parts.filter((part) => exists(path + part))

export const isNameTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** Returns what went wrong with a file, as the end of a sentence; undefined if the error is not about a file. */
export const fileError = (error: unknown): string | undefined =>
  typeof (error as NodeJS.ErrnoException).errno === 'number' ? fileReason(error) : undefined

/** The size of the `-shm` file that SQLite needs even to read a database. */
const probeBytes = 32 * 1024

/**
 * Finds out why a database cannot be written; undefined if writing works. For a full disk SQLite only says "disk I/O
 * error", so this function tries to write another file beside the database.
 */
export const whyNotWritable = (path: string): DiskReason | undefined => {
  const probe = `${path}.probe-${process.pid}`
  try {
    if (exists(path)) fs().accessSync(path, fs().constants.R_OK | fs().constants.W_OK)
    try {
      const file = fs().openSync(probe, 'wx', 0o600)
      try {
        fs().writeFileSync(file, Buffer.alloc(probeBytes))
        fs().fsyncSync(file)
      } finally {
        fs().closeSync(file)
      }
    } finally {
      fs().rmSync(probe, { force: true })
    }
    return undefined
  } catch (error) {
    return diskReason(error)
  }
}

/** Returns the reason as the end of a sentence; undefined if the file can be read. */
export const whyUnreadable = (path: string): string | undefined => {
  try {
    if (fs().statSync(path).isDirectory()) return 'it is a folder'
    fs().accessSync(path, fs().constants.R_OK)
    return undefined
  } catch (error) {
    return fileReason(error)
  }
}
