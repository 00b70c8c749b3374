import { accessSync, chmodSync, constants, lstatSync, rmSync } from 'node:fs'
import { fail, Refused } from '../kernel/result.ts'

/** Who may do what with a file or folder, as in `chmod`; undefined where there is none, or nobody may look. */
export const modeOf = (path: string): number | undefined => {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && stat.mode & 0o777
  } catch {
    return undefined
  }
}

export const setMode = (path: string, mode: number): void => changing(path, () => chmodSync(path, mode))

/** Takes one file away; never a folder. */
export const removeFile = (path: string): void => changing(path, () => rmSync(path))

export const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const changing = (path: string, work: () => void): void => {
  try {
    work()
  } catch (error) {
    throw new Refused(fail('file.unwritable', { path, reason: (error as Error).message }))
  }
}
