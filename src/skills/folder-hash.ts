import { hashInside } from '../host/safe-read.ts'
import { filesBelow, hashFiles } from '../host/stat.ts'

interface FolderHash {
  sha256: string
  files: number
  bytes: number
}

const mostFiles = 1000
const mostBytes = 64 * 1024 * 1024

/**
 * Hashes every file of a skill. Trust is recorded for this hash. Always reads the content, because times and sizes can
 * be forged. Returns undefined if there are too many files, if they are too large together, or if one cannot be read.
 */
export const hashFolder = (folder: string): FolderHash | undefined => {
  const files = filesBelow(folder, mostFiles)
  const bytes = files?.reduce((sum, { size }) => sum + size, 0) ?? 0
  if (!files || bytes > mostBytes) return undefined
  const sha256 = hashFiles(folder, files)
  return sha256 === undefined ? undefined : { sha256, files: files.length, bytes }
}

/**
 * Whether a folder contains only a SKILL.md with this hash. A copy of a shipped skill needs no trust, because its
 * text came with CLEO.
 */
export const isCopyOf = (folder: string, sha256: string | undefined): boolean => {
  if (sha256 === undefined) return false
  const files = filesBelow(folder, 1)
  if (files?.length !== 1 || files[0]!.path !== 'SKILL.md') return false
  const main = hashInside(folder, 'SKILL.md')
  return main.ok && main.sha256 === sha256
}
