import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { fail, Refused } from '../kernel/result.ts'

const newline = 0x0a
/** So many bytes before a place tell whether the file is still the same. */
export const marked = 1024
/** Nothing is followed and nobody waited for: a link or a pipe in the place of the file is refused. */
const plainly = constants.O_NOFOLLOW | constants.O_NONBLOCK

/** See `Files.stamp`. */
const stampOf = ({ size, mtimeMs }: Stats): string => `${size} ${Math.floor(mtimeMs)}`

export interface Appended {
  /** What was written, a newline in front of it included. */
  bytes: number
  /** Where it ends, unless somebody else has written meanwhile: the size of the file. */
  size: number
  stamp: string
}

/**
 * Adds a line to a file that others append to as well: in one write, at whatever is the end by then. A file that ends
 * in the middle of a line gets a newline first. The folder is made.
 */
export const appendLine = (path: string, line: string): Appended =>
  opened(path, 'file.unwritable', constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, (file) => {
    const { size } = fstatSync(file)
    const last = new Uint8Array(1)
    const torn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== newline
    const text = new TextEncoder().encode(`${torn ? '\n' : ''}${line}\n`)
    const written = writeSync(file, text)
    if (written < text.length) throw unfit(path, 'file.unwritable', 'the disk is full')
    const after = fstatSync(file)
    return { bytes: written, size: after.size, stamp: stampOf(after) }
  })

export interface Piece {
  bytes: Uint8Array
  /** Of the whole file, taken before reading. */
  size: number
  stamp: string
}

/** Some bytes of a file, fewer at its end. */
export const readPiece = (path: string, from: number, length: number): Piece =>
  opened(path, 'file.unreadable', constants.O_RDONLY, (file) => {
    const stat = fstatSync(file)
    const bytes = new Uint8Array(Math.max(0, Math.min(length, stat.size - from)))
    let filled = 0
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, from + filled)
    return { bytes: bytes.subarray(0, filled), size: stat.size, stamp: stampOf(stat) }
  })

type Trouble = 'file.unreadable' | 'file.unwritable'

const opened = <T>(path: string, code: Trouble, flags: number, work: (file: number) => T): T => {
  let file: number | undefined
  try {
    file = openMaking(path, flags | plainly)
    if (!fstatSync(file).isFile()) throw unfit(path, code, 'it is not a regular file')
    return work(file)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw unfit(path, code, reasonOf(error as NodeJS.ErrnoException))
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const openMaking = (path: string, flags: number): number => {
  try {
    return openSync(path, flags, 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !(flags & constants.O_CREAT)) throw error
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o755 })
    return openSync(path, flags, 0o644)
  }
}

const unfit = (path: string, code: Trouble, reason: string): Refused =>
  new Refused(fail(code, { path, reason }))

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => reasons[code ?? ''] ?? message

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'it is a link',
  ENXIO: 'it is not a regular file',
}
