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
import { errnoOf, fileReason } from './errno.ts'

const newline = 0x0a
/**
 * CLEO saves the offset at which it stopped reading a file. Later it compares this many bytes in front of the offset
 * with the bytes that were there before. If the bytes differ, the file was replaced.
 */
export const fingerprintBytes = 1024
/** With these flags, opening a link fails, and opening a named pipe does not block. */
const onlyRegular = constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Returns the same as `Files.stamp`. */
const stampOf = ({ size, mtimeMs }: Stats): string => `${size} ${Math.floor(mtimeMs)}`

export interface AppendedLine {
  /**
   * The number of bytes written. If the file ended in the middle of a line, this includes the newline that ends
   * that line.
   */
  bytes: number
  /** Size of the file after the write. The line ends there if no other process has appended meanwhile. */
  size: number
  stamp: string
}

/**
 * Appends a line in one write, because other processes append to the same file. If the file ends in the middle of a
 * line, writes a newline first. Creates the folder if needed.
 */
export const appendLine = (path: string, line: string): AppendedLine =>
  withFile(path, 'file.unwritable', constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, (file) => {
    const { size } = fstatSync(file)
    const last = new Uint8Array(1)
    const torn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== newline
    const text = new TextEncoder().encode(`${torn ? '\n' : ''}${line}\n`)
    const written = writeSync(file, text)
    if (written < text.length) throw refusalOf(path, 'file.unwritable', 'the disk is full')
    const after = fstatSync(file)
    return { bytes: written, size: after.size, stamp: stampOf(after) }
  })

export interface FilePiece {
  bytes: Uint8Array
  /** Size of the whole file, taken before reading. */
  size: number
  stamp: string
}

export const readPiece = (path: string, from: number, length: number): FilePiece =>
  withFile(path, 'file.unreadable', constants.O_RDONLY, (file) => {
    const stat = fstatSync(file)
    const bytes = new Uint8Array(Math.max(0, Math.min(length, stat.size - from)))
    let filled = 0
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, from + filled)
    return { bytes: bytes.subarray(0, filled), size: stat.size, stamp: stampOf(stat) }
  })

type FileCode = 'file.unreadable' | 'file.unwritable'

const withFile = <T>(path: string, code: FileCode, flags: number, work: (file: number) => T): T => {
  let file: number | undefined
  try {
    file = openOrCreate(path, flags | onlyRegular)
    if (!fstatSync(file).isFile()) throw refusalOf(path, code, 'it is not a regular file')
    return work(file)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw refusalOf(path, code, fileReason(error))
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const openOrCreate = (path: string, flags: number): number => {
  try {
    return openSync(path, flags, 0o644)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || !(flags & constants.O_CREAT)) throw error
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o755 })
    return openSync(path, flags, 0o644)
  }
}

const refusalOf = (path: string, code: FileCode, reason: string): Refused =>
  new Refused(fail(code, { path, reason }))
