import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs'
import { fileReason, isMissing } from './errno.ts'
import { isOwnFile, isSecret } from './secret-names.ts'
import { newHash } from './sha256.ts'

/** The result of reading a file; `path` is normalised. */
export type ReadInside = { ok: true; path: string; text: string; bytes: number } | NotRead
export interface NotRead {
  ok: false
  /** Whether the path is allowed but does not exist. */
  missing: boolean
  /** The reason, as the end of a sentence about the file: `is a link`. */
  why: string
}

/**
 * Reads a file below a folder while other processes may change the folder. Opens the file first, without following
 * links or blocking. Then checks only the descriptor: type, number of names, size and real path. If the path were
 * checked first, another process could replace the file between the check and the opening. The path of the folder
 * itself must not contain links.
 */
export const readInside = (folder: string, path: string, maxBytes: number): ReadInside => {
  const plain = plainPath(path)
  if (typeof plain !== 'string') return plain
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  const parent = absolute(folder, plain.slice(0, -name.length - 1))
  return open(parent, constants.O_DIRECTORY, (around) => {
    if (!isAt(around, parent)) return cannotRead('is reached through a link')
    return openInside(byDescriptor(around) ?? parent, name, constants.O_RDONLY, (file) => {
      const stat = fstatSync(file)
      if (!stat.isFile()) return cannotRead('is not a regular file')
      // A hard link in this folder can lead to a file outside the folder. On some systems, a user can make such a
      // link even without the right to read the file.
      if (stat.nlink !== 1) return cannotRead('has another hard link')
      if (stat.size > maxBytes) return cannotRead(`is larger than ${maxBytes / 1024} KiB`)
      const read = readText(file, plain, stat.size)
      // The file may have been moved or linked while it was read, so check again. First wait for a deletion in
      // progress: until the deletion is complete, the number of names is too low.
      waitForDeletion(around)
      if (!isAt(file, absolute(parent, name)) || fstatSync(file).nlink !== 1)
        return cannotRead('is reached through a link')
      return read
    })
  })
}

/**
 * Returns at most the last `maxBytes` of a file, even while another process writes to the file. Bytes that are not text
 * are allowed.
 */
export const tailInside = (folder: string, path: string, maxBytes: number): ReadInside => {
  const plain = plainPath(path)
  if (typeof plain !== 'string') return plain
  return openInside(folder, plain, constants.O_RDONLY, (file, place): ReadInside => {
    const stat = fstatSync(file)
    if (!stat.isFile()) return cannotRead('is not a regular file')
    if (stat.nlink !== 1) return cannotRead('has another hard link')
    if (!isAt(file, place)) return cannotRead('is reached through a link')
    const bytes = Buffer.alloc(Math.min(stat.size, maxBytes))
    const length = readSync(file, bytes, 0, bytes.length, Math.max(0, stat.size - maxBytes))
    return { ok: true, path: plain, text: bytes.toString('utf8', 0, length), bytes: length }
  })
}

export type HashInside = { ok: true; sha256: string; bytes: number; first: Uint8Array } | NotRead

/**
 * Hashes a file below a folder as safely as `readInside`. Also returns the first bytes of the file, at most `most`.
 * Files with names such as `credentials.ts` or `.env.example` are allowed, because callers only check the first bytes
 * and do not pass them on.
 */
export const hashInside = (folder: string, path: string, most = 0): HashInside => {
  const plain = plainPath(path, (each) => (isOwnFile(each) ? 'belongs to git or CLEO' : undefined))
  if (typeof plain !== 'string') return plain
  return openInside(folder, plain, constants.O_RDONLY, (file, place): HashInside => {
    const stat = fstatSync(file)
    if (!stat.isFile()) return cannotRead('is not a regular file')
    if (stat.nlink !== 1) return cannotRead('has another hard link')
    const hash = newHash()
    const some = new Uint8Array(Math.min(stat.size + 1, 1 << 20))
    let bytes = 0
    let first = new Uint8Array()
    for (let read = readSync(file, some); read > 0; read = readSync(file, some)) {
      if (bytes === 0) first = some.slice(0, Math.min(read, most))
      hash.update(some.subarray(0, read))
      bytes += read
      if (bytes > stat.size + (1 << 20)) return cannotRead('is being written to')
    }
    if (!isAt(file, place)) return cannotRead('is reached through a link')
    return { ok: true, sha256: hash.digest('hex'), bytes, first }
  })
}

/**
 * Waits for a deletion in progress. The kernel lowers the link count before it removes the name, so for a moment a file
 * with two names seems to have only one. The kernel locks the folder during the deletion, so listing the folder waits
 * until the deletion is complete.
 */
const waitForDeletion = (folder: number): void => {
  const place = byDescriptor(folder)
  if (place === undefined) return
  const names = opendirSync(place)
  names.readSync()
  names.closeSync()
}

const descriptors = '/proc/self/fd'
let hasDescriptors: boolean | undefined

/**
 * Returns a path that leads to an open file or folder even after it was moved; undefined if the system has no
 * /proc.
 */
export const byDescriptor = (descriptor: number): string | undefined => {
  hasDescriptors ??= existsSync(descriptors)
  return hasDescriptors ? `${descriptors}/${descriptor}` : undefined
}

export const cannotRead = (why: string): NotRead => ({ ok: false, missing: false, why })

const maxPath = 1000

/** Returns the normalised path, or why it is refused. A path must stay below its folder. */
export const plainPath = (path: string, whyRefused = whySecret): string | NotRead => {
  if (path.startsWith('/')) return cannotRead('is an absolute path')
  if (path.length > maxPath) return cannotRead('has a path that is too long')
  if (/[\u0000-\u001f\u007f\\]/.test(path) || !path.isWellFormed()) return cannotRead('is not a plain path')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0) return cannotRead('names no file')
  if (parts.includes('..')) return cannotRead('points outside its folder')
  const why = whyRefused(path)
  return why ? cannotRead(why) : parts.join('/')
}

const whySecret = (path: string): string | undefined =>
  isSecret(path) ? 'has the name of a secret file' : undefined

const absolute = (folder: string, path: string): string =>
  path === '' ? folder : folder === '/' ? `/${path}` : `${folder}/${path}`

/** Does not follow a link at the end of the path, and does not block. */
export const openInside = <T>(
  folder: string,
  path: string,
  flags: number,
  work: (descriptor: number, place: string) => T,
): T | NotRead => {
  const place = absolute(folder, path)
  return open(place, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, (file) => work(file, place))
}

const open = <T>(path: string, flags: number, work: (descriptor: number) => T): T | NotRead => {
  let descriptor: number
  try {
    descriptor = openSync(path, flags)
  } catch (error) {
    return notOpened(error)
  }
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const notOpened = (error: unknown): NotRead => {
  if (isMissing(error)) return { ok: false, missing: true, why: 'does not exist' }
  const reason = fileReason(error)
  return cannotRead(reason.startsWith('it ') ? reason.slice(3) : `cannot be opened: ${reason}`)
}

/**
 * Whether the open file is exactly at this path, with no link in the path. Compares with the path that /proc shows for
 * the descriptor. Without /proc, compares the inodes of the descriptor and of the path, and checks that the path has no
 * links. Does these two checks twice, so that an attacker would have to swap folder and link three times at the right
 * moments to stay unnoticed. Callers check that a file has only one name, so equal inodes mean the same name.
 */
export const isAt = (descriptor: number, path: string): boolean => {
  const place = byDescriptor(descriptor)
  try {
    if (place !== undefined) return readlinkSync(place) === path
    const { dev, ino } = fstatSync(descriptor)
    const isPlain = () => realpathSync.native(path) === path
    const isSame = () => {
      const found = lstatSync(path)
      return found.dev === dev && found.ino === ino
    }
    return isPlain() && isSame() && isPlain() && isSame()
  } catch {
    // The file was deleted meanwhile, or its path is too long to be read.
    return false
  }
}

const readText = (file: number, path: string, size: number): ReadInside => {
  const bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (let read = -1; read !== 0 && length <= size; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > size) return cannotRead('is being written to')
  const found = bytes.subarray(0, length)
  if (found.includes(0)) return cannotRead('is not text')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found)
    return { ok: true, path, text, bytes: length }
  } catch {
    return cannotRead('is not text')
  }
}
