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
import { isSecret } from './secret-names.ts'

/** The path comes back without detours. */
export type ReadInside = { ok: true; path: string; text: string; bytes: number } | NotRead
export interface NotRead {
  ok: false
  /** There is nothing of that name, and nothing wrong with asking. */
  missing: boolean
  /** Said of the file: `is a link`. */
  why: string
}

/**
 * Reads a file below a folder, whoever else is at work there. Whatever is checked by name can be another file by the
 * time it is opened, so the file is opened first, following no link and waiting for no one, and everything is asked of
 * the descriptor: what it is, whether it has another name, how large it is, and where it really lies.
 *
 * The folder has to be free of links itself.
 */
export const readInside = (folder: string, path: string, maxBytes: number): ReadInside => {
  const plain = plainPath(path)
  if (typeof plain !== 'string') return plain
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  const parent = absolute(folder, plain.slice(0, -name.length - 1))
  return open(parent, constants.O_DIRECTORY, (around) => {
    if (!liesAt(around, parent)) return refused('is reached through a link')
    return openPlace(byDescriptor(around) ?? parent, name, constants.O_RDONLY, (file) => {
      const stat = fstatSync(file)
      if (!stat.isFile()) return refused('is not a regular file')
      // Also of a file outside, which may have got its name in here from somebody who cannot read it.
      if (stat.nlink !== 1) return refused('has another name elsewhere')
      if (stat.size > maxBytes) return refused(`is larger than ${maxBytes / 1024} KiB`)
      const read = readText(file, plain, stat.size)
      // Asked last, when whoever changed something here has done: what was read before is not handed out.
      settle(around)
      if (!liesAt(file, absolute(parent, name)) || fstatSync(file).nlink !== 1)
        return refused('is reached through a link')
      return read
    })
  })
}

/**
 * A name that is being taken away is first left out of the count and then shown as deleted; in between the file would
 * seem to have the one name it was opened by. Whoever takes it away holds the lock of the folder meanwhile, and so
 * has done once the folder could be listed.
 */
const settle = (folder: number): void => {
  const place = byDescriptor(folder)
  if (place === undefined) return
  const names = opendirSync(place)
  names.readSync()
  names.closeSync()
}

const descriptors = '/proc/self/fd'
let hasDescriptors: boolean | undefined

/** A path to what is open, wherever it has gone; undefined where the system has none. */
export const byDescriptor = (descriptor: number): string | undefined => {
  hasDescriptors ??= existsSync(descriptors)
  return hasDescriptors ? `${descriptors}/${descriptor}` : undefined
}

export const refused = (why: string): NotRead => ({ ok: false, missing: false, why })

const maxPath = 1000

/** A path that can only lead down, without detours; else why it is none. */
export const plainPath = (path: string): string | NotRead => {
  if (path.startsWith('/')) return refused('is an absolute path')
  if (path.length > maxPath) return refused('is too long a path')
  if (/[\u0000-\u001f\u007f\\]/.test(path) || !path.isWellFormed()) return refused('is not a plain path')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0) return refused('names no file')
  if (parts.includes('..')) return refused('leaves its folder')
  return isSecret(path) ? refused('is a secret by its name') : parts.join('/')
}

const absolute = (folder: string, path: string): string =>
  path === '' ? folder : folder === '/' ? `/${path}` : `${folder}/${path}`

/** Opens what stands at a path below a folder, following no link there and waiting for no one. */
export const openPlace = <T>(
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
    return notOpened(error as NodeJS.ErrnoException)
  }
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const notOpened = ({ code, message }: NodeJS.ErrnoException): NotRead => {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, missing: true, why: 'is not there' }
  return refused(reasons[code ?? ''] ?? `cannot be opened (${code ?? message})`)
}

const reasons: Record<string, string> = {
  ELOOP: 'is a link',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  ENXIO: 'is not a regular file',
  ENAMETOOLONG: 'is too long a path',
}

/**
 * Whether the open file lies exactly there, no link on the way. The kernel knows, by descriptor. Where it does not say
 * (there is no /proc), the place is looked up again, between two looks at its links: as the file has one name only, the
 * same inode means the same file, and only somebody who puts a folder and a link in each other's place three times
 * at the right moments gets by.
 */
export const liesAt = (descriptor: number, path: string): boolean => {
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
    // It has gone away meanwhile, or lies too deep for its place to be told.
    return false
  }
}

const readText = (file: number, path: string, size: number): ReadInside => {
  const bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (let read = -1; read !== 0 && length <= size; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > size) return refused('is being written to')
  const found = bytes.subarray(0, length)
  if (found.includes(0)) return refused('is not text')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found)
    return { ok: true, path, text, bytes: length }
  } catch {
    return refused('is not text')
  }
}
