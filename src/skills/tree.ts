import { filesBelow, hashFiles } from '../host/stat.ts'

/** All files of a skill. */
export interface Tree {
  sha256: string
  files: number
  bytes: number
}

const mostFiles = 1000
const mostBytes = 64 * 1024 * 1024

/**
 * What a yes to a skill covers; undefined where there is too much of it, or not all can be read. Always by content:
 * what is trusted is not a matter of times and sizes.
 */
export const treeOf = (folder: string): Tree | undefined => {
  const files = filesBelow(folder, mostFiles)
  const bytes = files?.reduce((sum, { size }) => sum + size, 0) ?? 0
  if (!files || bytes > mostBytes) return undefined
  const sha256 = hashFiles(folder, files)
  return sha256 === undefined ? undefined : { sha256, files: files.length, bytes }
}
