import { accessSync, chmodSync, constants, lstatSync, rmSync } from 'node:fs'
import { fail, Refused } from '../kernel/result.ts'
import { fileReason } from './errno.ts'

/** The mode bits of a file or folder, as for `chmod`; undefined if it is missing or cannot be read. */
export const modeOf = (path: string): number | undefined => {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && stat.mode & 0o777
  } catch {
    return undefined
  }
}

export const setMode = (path: string, mode: number): void => whileWriting(path, () => chmodSync(path, mode))

/** Deletes one file; never a folder. */
export const removeFile = (path: string): void => whileWriting(path, () => rmSync(path))

export const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const whileWriting = (path: string, work: () => void): void => {
  try {
    work()
  } catch (error) {
    throw new Refused(fail('file.unwritable', { path, reason: fileReason(error) }))
  }
}
