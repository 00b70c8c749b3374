import { filesBelow, hashFiles } from '../host/stat.ts'

interface FolderHash {
  sha256: string
  files: number
  bytes: number
}

const mostFiles = 1000
const mostBytes = 64 * 1024 * 1024

/**
 * Hashes every file of a skill. Trust is recorded for this hash. Undefined if the files are too many or too large, or
 * one cannot be read. Always reads the content, because times and sizes can be forged.
 */
export const hashFolder = (folder: string): FolderHash | undefined => {
  const files = filesBelow(folder, mostFiles)
  const bytes = files?.reduce((sum, { size }) => sum + size, 0) ?? 0
  if (!files || bytes > mostBytes) return undefined
  const sha256 = hashFiles(folder, files)
  return sha256 === undefined ? undefined : { sha256, files: files.length, bytes }
}
