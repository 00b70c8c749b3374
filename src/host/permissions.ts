import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { fail, Refused } from '../kernel/result.ts'
import type { DiskReason } from '../refusals/disk-reasons.ts'
import { diskReason, fileReason } from './errno.ts'
import { refuseOwnLinks } from './node-own-links.ts'

/** Returns the mode bits of a file or folder, as for `chmod`; undefined for a link or a path that cannot be read. */
export const modeOf = (path: string): number | undefined => {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && !stat.isSymbolicLink() ? stat.mode & 0o777 : undefined
  } catch {
    return undefined
  }
}

/** Whether there is anything at a path: a file, a folder, a pipe or a device. Follows links. */
export const isThere = (path: string): boolean => existsSync(path)

export const setMode = (path: string, mode: number): void => whileWriting(path, () => chmodSync(path, mode))

/** Deletes one file; never a folder. */
export const removeFile = (path: string): void => whileWriting(path, () => rmSync(path))

export const removeEmptyFolder = (path: string): void => {
  try {
    rmdirSync(path)
  } catch {
    // Ignored: the folder is not empty, or it no longer exists.
  }
}

export const isWritable = (path: string): boolean => whyUnwritable(path) === undefined

/** Returns why this user may not write to a path; undefined if the user may write. */
export const whyUnwritable = (path: string): DiskReason | undefined => {
  try {
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return diskReason(error) ?? 'denied'
  }
}

const whileWriting = (path: string, work: () => void): void => {
  refuseOwnLinks(path)
  try {
    work()
  } catch (error) {
    throw new Refused(fail('file.unwritable', { path, reason: fileReason(error) }))
  }
}

/** Removes a file or a whole folder, if it exists. Returns false if a part of it could not be removed. */
export const removeTree = (path: string): boolean => {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    return true
  } catch {
    return false
  }
}

/** Copies the bytes and the mode of a file. */
export const copyFile = (from: string, to: string): void =>
  whileWriting(to, () => copyFileSync(from, to, constants.COPYFILE_FICLONE))
