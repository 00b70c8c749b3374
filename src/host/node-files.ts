import type { Stats } from 'node:fs'
import { fail, Refused, refuse } from '../kernel/result.ts'
import { bun, headWithBun, stampWithBun, textWithBun } from './bun.ts'
import { errnoOf, fileReason } from './errno.ts'
import type { Files } from './host.ts'
import { refuseOwnLinks } from './node-own-links.ts'

// Loaded on first use: see `bun.ts`.
let loadedFs: typeof import('node:fs') | undefined
const fs = () => (loadedFs ??= process.getBuiltinModule('node:fs'))

export const nodeFiles = (randomId: (length: number) => string): Files => {
  const draft = (path: string, text: string, mode: number): string => {
    const name = `${path}.${randomId(8)}`
    const file = fs().openSync(name, 'wx', mode)
    try {
      fs().writeFileSync(file, text)
      fs().fsyncSync(file)
    } catch (error) {
      fs().rmSync(name, { force: true })
      throw error
    } finally {
      fs().closeSync(file)
    }
    return name
  }
  let loadedSafeRead: Promise<typeof import('./safe-read.ts')> | undefined
  const safeRead = () => (loadedSafeRead ??= import('./safe-read.ts'))
  const read = (path: string) =>
    whileReading(path, () => {
      const text = isImpossible(path) ? undefined : textOpened(path)
      if (typeof text === 'string') return text
      const found = stat(path)
      // Refuse anything but a file or a folder. Reading a named pipe, for example, would block forever.
      if (found && !found.isFile() && !found.isDirectory())
        refuse('file.unreadable', { path, reason: 'it is not a regular file' })
      return found && unlessGone(() => fs().readFileSync(path, 'utf8'), undefined)
    })
  return {
    read,
    load: async (path) => {
      if (isImpossible(path)) return undefined
      // If `node:fs` is already loaded, use `read`. For a small file, it takes half as long as `textWithBun`.
      if (loadedFs) return read(path)
      // If Bun cannot read the file, `read` tries again with Node and reports the error.
      return (bun && (await textWithBun(bun, path))) || read(path)
    },
    plainText: (path) => {
      const text = isImpossible(path) ? undefined : textOpened(path)
      return text === null ? (kind(path) === 'file' ? read(path) : undefined) : text
    },
    kind,
    size: (path) => whileReading(path, () => stat(path)?.size ?? 0),
    sizeSeen: (path) => (bun && !isImpossible(path) ? finiteSize(bun.file(path).size) : sizeSeen(path)),
    stamp: (path) => (bun && !isImpossible(path) ? stampWithBun(bun, path) : stampSeen(path)),
    list: (folder) =>
      whileReading(folder, () =>
        stat(folder)?.isDirectory() ? unlessGone(() => fs().readdirSync(folder).sort(), []) : [],
      ),
    makeFolder: (path, mode) =>
      whileWriting(path, () => void fs().mkdirSync(path, { recursive: true, mode })),
    writeNew: (path, text, mode) =>
      whileWriting(path, () => {
        const name = draft(path, text, mode)
        try {
          fs().linkSync(name, path)
          return true
        } catch (error) {
          if (errnoOf(error) === 'EEXIST') return false
          throw error
        } finally {
          fs().rmSync(name, { force: true })
        }
      }),
    replace: (path, text, mode) =>
      whileWriting(path, () => {
        fs().mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o700 })
        const name = draft(path, text, mode)
        try {
          fs().renameSync(name, path)
        } catch (error) {
          fs().rmSync(name, { force: true })
          throw error
        }
      }),
    append: (path, text, mode) =>
      whileWriting(path, () => {
        try {
          fs().appendFileSync(path, text, { mode })
        } catch (error) {
          if (errnoOf(error) !== 'ENOENT') throw error
          fs().mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o700 })
          fs().appendFileSync(path, text, { mode })
        }
      }),
    put: async (path, text, mode) => {
      refuseOwnLinks(path)
      if (bun) await bun.write(path, text, { mode, createPath: true })
      else {
        fs().mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o700 })
        fs().writeFileSync(path, text, { mode })
      }
    },
    head: async (path, maxBytes) => (bun ? headWithBun(bun, path, maxBytes) : headWithNode(path, maxBytes)),
    realPath: (path) =>
      whileReading(path, () =>
        isImpossible(path) ? path : unlessMissing(() => fs().realpathSync.native(path), path),
      ),
    move: (from, to) => whileWriting(to, () => fs().renameSync(from, to)),
    readInside: async (...call) => (await safeRead()).readInside(...call),
    findInside: async (...call) => (await import('./find-inside.ts')).findInside(...call),
  }
}

const kind: Files['kind'] = (path) => {
  try {
    const found = stat(path)
    return found?.isFile() ? 'file' : found?.isDirectory() ? 'folder' : undefined
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return 'denied'
    throw error
  }
}

/** Returns undefined if the path does not exist or cannot exist, for example because it is too long. */
const stat = (path: string): Stats | undefined => {
  if (isImpossible(path)) return undefined
  return unlessMissing(() => fs().statSync(path, { throwIfNoEntry: false }), undefined)
}

const unlessMissing = <T, Missing>(work: () => T, missing: Missing): T | Missing => {
  try {
    return work()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return missing
    throw error
  }
}

/**
 * Returns `gone` if another process removed the file after `stat` saw it. For example, `receive` removes worktrees and
 * git's records of them, while other agents read these files.
 */
const unlessGone = <T, Gone>(work: () => T, gone: Gone): T | Gone => {
  try {
    return work()
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return gone
  }
}

const smallFile = 4096
// Made on first use, because most commands read no file in this way.
let madeBytes: Uint8Array<ArrayBuffer> | undefined
const bytesOfSmall = () => (madeBytes ??= new Uint8Array(smallFile))

/**
 * Reads a regular file of less than `smallFile` bytes. Returns undefined if the path does not exist or is not a regular
 * file. Returns null if the file is larger or cannot be read. In that case, the caller uses `read`, which also reports
 * the error.
 */
const textOpened = (path: string): string | undefined | null => {
  const { constants, openSync, fstatSync, readSync, closeSync } = fs()
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' ? undefined : null
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return undefined
    if (stat.size >= smallFile) return null
    const bytes = bytesOfSmall()
    const count = readSync(file, bytes)
    return count === stat.size ? Buffer.from(bytes.buffer, 0, count).toString('utf8') : null
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

const headWithNode = (path: string, maxBytes: number): string | undefined => {
  try {
    if (!stat(path)?.isFile()) return undefined
    const file = fs().openSync(path, 'r')
    const bytes = Buffer.alloc(Math.min(maxBytes, fs().fstatSync(file).size))
    const count = fs().readSync(file, bytes)
    fs().closeSync(file)
    return bytes.toString('utf8', 0, count)
  } catch {
    return undefined
  }
}

/**
 * Whether a path contains NUL, for which `node:fs` would throw. No file system allows NUL in names, but paths come from
 * texts that may contain it.
 */
const isImpossible = (path: string): boolean => path.includes('\0')

/** Bun reports an infinite size for a pipe and for anything else that is not a file. */
const finiteSize = (size: number): number => (size === Number.POSITIVE_INFINITY ? 0 : size)

const sizeSeen = (path: string): number => {
  try {
    return stat(path)?.size ?? 0
  } catch {
    return 0
  }
}

const stampSeen = (path: string): string => {
  try {
    const found = stat(path)
    return found?.isFile() && found.size > 0 ? `${found.size} ${Math.floor(found.mtimeMs)}` : ''
  } catch {
    return ''
  }
}

const refuseOnError = <T>(code: 'file.unreadable' | 'file.unwritable', path: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (!errnoOf(error)) throw error
    throw new Refused(fail(code, { path, reason: fileReason(error) }))
  }
}
const whileReading = <T>(path: string, work: () => T): T => refuseOnError('file.unreadable', path, work)
const whileWriting = <T>(path: string, work: () => T): T => {
  refuseOwnLinks(path)
  return refuseOnError('file.unwritable', path, work)
}
