import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import type { Hasher } from './bun.ts'
import { newHash } from './sha256.ts'

export interface Content {
  is: 'file' | 'link' | 'folder' | 'other'
  /**
   * The hash of a file's bytes or of a link's target. Empty for a folder. For anything else, such as a pipe, this is
   * not a hash but a text made from the stat data.
   */
  sha256: string
  /** Git's blob hash. Empty if the caller did not ask for it, or if this is neither a file nor a link. */
  blob: string
  isProgram: boolean
}

/** Returns which hash function a repository uses, given one of its hashes. */
export const hashKind = (name: string): 'sha1' | 'sha256' => (name.length === 64 ? 'sha256' : 'sha1')

/** Returns undefined if the path does not exist. Follows no links and never blocks. */
export const contentAt = (path: string, kind?: 'sha1' | 'sha256'): Content | undefined => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    // The path is a link, a socket or an unreadable file, or it does not exist.
    return withoutOpening(path, kind)
  }
  try {
    const stat = fstatSync(file)
    if (stat.isDirectory()) return { is: 'folder', sha256: '', blob: '', isProgram: false }
    if (!stat.isFile()) return { is: 'other', sha256: String(stat.mode), blob: '', isProgram: false }
    const hashes = hashesFor(stat.size, kind)
    readInto(file, stat.size, hashes)
    return { is: 'file', ...digests(hashes), isProgram: (stat.mode & 0o100) !== 0 }
  } finally {
    closeSync(file)
  }
}

const withoutOpening = (path: string, kind: 'sha1' | 'sha256' | undefined): Content | undefined => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (!stat.isSymbolicLink())
    return { is: 'other', sha256: `${stat.mode} ${stat.size} ${stat.ctimeMs}`, blob: '', isProgram: false }
  const target = Buffer.from(readlinkSync(path))
  const hashes = hashesFor(target.length, kind)
  for (const hash of hashes) hash.update(target)
  return { is: 'link', ...digests(hashes), isProgram: false }
}

const hashesFor = (size: number, kind: 'sha1' | 'sha256' | undefined): Hasher[] => {
  if (!kind) return [newHash()]
  const blob = newHash(kind)
  blob.update(`blob ${size}\0`)
  return [newHash(), blob]
}

const digests = ([sha256, blob]: Hasher[]) => ({
  sha256: sha256!.digest('hex'),
  blob: blob?.digest('hex') ?? '',
})

const chunk = new Uint8Array(1 << 16)

/** Hashes an open file. Stops early if another process keeps appending to the file. */
const readInto = (file: number, size: number, hashes: readonly Hasher[]): number => {
  let bytes = 0
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
    for (const hash of hashes) hash.update(chunk.subarray(0, read))
    bytes += read
    if (bytes > size + (1 << 20)) return bytes
  }
  return bytes
}
