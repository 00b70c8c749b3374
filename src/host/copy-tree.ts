import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { errnoOf, isMissing } from './errno.ts'
import { isOwnFolder } from './secret-names.ts'

interface TreeCopy {
  /** The source folder. A link inside it is copied as a link; files outside it are never read. */
  from: string
  to: string
  /** The file or folder to copy, relative to both `from` and `to`. */
  path: string
  /** Called after every 500 copied files, with the number of files so far. */
  heard?(files: number): Promise<void> | void
}

export interface CopiedTree {
  files: number
  /**
   * Paths that were not copied: the links that `copyLink` leaves out, and special files such as pipes, sockets and
   * devices.
   */
  left: string[]
}

/**
 * Copies a file or folder with its permissions, but without `.git` and `.cleo`. Uses reflinks where the file system
 * has them. Does not overwrite files at the target. Returns undefined if the path does not exist.
 */
export const copyTree = async ({ from, to, path, heard }: TreeCopy): Promise<CopiedTree | undefined> => {
  const copied: CopiedTree = { files: 0, left: [] }
  const waiting = [path]
  if (seen(`${from}/${path}`) === undefined) return undefined
  makeParents(from, to, path)
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [source, target] = [`${from}/${at}`, `${to}/${at}`]
    const found = seen(source)
    if (found?.isDirectory()) {
      if (makeFolder(target, found.mode))
        waiting.push(...readdirSync(source).flatMap((name) => (isOwnFolder(name) ? [] : [`${at}/${name}`])))
    } else if (found?.isSymbolicLink()) {
      if (!copyLink(from, to, at)) copied.left.push(at)
    } else if (found?.isFile()) {
      if (copyFile(source, target, found.mode) && ++copied.files % 500 === 0) await heard?.(copied.files)
    } else if (found) copied.left.push(at)
  }
  return copied
}

const seen = (path: string): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const makeParents = (from: string, to: string, path: string): void => {
  const parts = path.split('/').slice(0, -1)
  for (let n = 1; n <= parts.length; n++) {
    const folder = parts.slice(0, n).join('/')
    makeFolder(`${to}/${folder}`, statSync(`${from}/${folder}`).mode)
  }
}

/** Returns true if the path is a folder afterwards. Does not replace a file or link that has this name. */
const makeFolder = (path: string, mode: number): boolean => {
  try {
    // The owner must be able to write into the folder.
    mkdirSync(path, { mode: (mode & 0o777) | 0o700 })
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return lstatSync(path).isDirectory()
  }
}

const copyFile = (source: string, target: string, mode: number): boolean => {
  try {
    copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    chmodSync(target, mode & 0o777)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Copies a link. An absolute link into `from` becomes a link into `to`. Returns false, without copying, in two cases:
 * - The link leads into `.git` or `.cleo`.
 * - The link leads to a folder outside `from`, or to nothing. Through such a link, an agent could write outside `to`.
 *
 * A link to a file outside `from` is copied, such as the link to Python in a virtual environment.
 */
const copyLink = (from: string, to: string, path: string): boolean => {
  const text = readlinkSync(`${from}/${path}`)
  const end = resolvePath(`${from}/${path}`.slice(0, `${from}/${path}`.lastIndexOf('/')), text)
  const isInside = isBelow(from, end)
  if (
    isInside &&
    end
      .slice(from.length + 1)
      .split('/')
      .some(isOwnFolder)
  )
    return false
  if (!isInside && !isFile(end)) return false
  try {
    symlinkSync(isInside && text.startsWith('/') ? `${to}${end.slice(from.length)}` : text, `${to}/${path}`)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  return true
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
