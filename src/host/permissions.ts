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

export const modeOf = (path: string): number | undefined => {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && !stat.isSymbolicLink() ? stat.mode & 0o777 : undefined
  } catch {
    return undefined
  }
}

export const isThere = (path: string): boolean => existsSync(path)

export const setMode = (path: string, mode: number): void => whileWriting(path, () => chmodSync(path, mode))

export const removeFile = (path: string): void => whileWriting(path, () => rmSync(path))

export const removeEmptyFolder = (path: string): void => {
  try {
    rmdirSync(path)
  } catch {
    // Ignored: the folder is not empty, or it no longer exists.
  }
}

export const isWritable = (path: string): boolean => whyUnwritable(path) === undefined

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
