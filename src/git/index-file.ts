import { bytesAt } from '../host/stat.ts'
import type { ListedFile } from './git-index.ts'
import type { IndexPlaces } from './index-trees.ts'

export interface IndexedFile extends ListedFile {
  /**
   * When the file was last changed, in seconds, as the index records it. If git does not list the file as different,
   * this time is right, and the caller needs no `stat`.
   */
  changed: number
}

/**
 * Reads the tracked files from git's index, without a process. Returns undefined for an index that this code cannot
 * read: version 4, a split index, a sparse index, or an index that is made for reading with several threads.
 */
export const filesInIndex = (index: string): IndexedFile[] | undefined => readIndex(index)?.files

/** Like `filesInIndex`, and also returns where the entries are. */
export const readIndex = (index: string): { files: IndexedFile[]; places: IndexPlaces } | undefined => {
  const bytes = bytesAt(index)
  if (bytes?.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) > 3) return undefined
  // The index does not say how long its hashes are, so try both lengths. With the wrong length, the byte after a name
  // is not zero, and `readEntries` returns undefined.
  for (const hash of [20, 32]) {
    const found = readEntries(bytes, hash)
    if (found) return found
  }
  return undefined
}

const modeAt = 24
const statBytes = 40
const assumeUnchanged = 0x8000
const extended = 0x4000
const skipWorktree = 0x4000
const longName = 0xfff

const readEntries = (
  bytes: Buffer,
  hash: number,
): { files: IndexedFile[]; places: IndexPlaces } | undefined => {
  const found: IndexedFile[] = []
  const entries: IndexPlaces['entries'] = []
  const count = bytes.readUInt32BE(8)
  let at = 12
  let last = ''
  for (let n = 0; n < count; n++) {
    const end = at + statBytes + hash
    if (end + 4 > bytes.length) return undefined
    const flags = bytes.readUInt16BE(end)
    const more = flags & extended ? bytes.readUInt16BE(end + 2) : 0
    const name = end + (flags & extended ? 4 : 2)
    const length = (flags & longName) === longName ? bytes.indexOf(0, name) - name : flags & longName
    if (length <= 0 || bytes[name + length] !== 0) return undefined
    const path = bytes.toString('utf8', name, name + length)
    const mode = bytes.readUInt32BE(at + modeAt)
    const flag =
      more & skipWorktree ? 'skip-worktree' : flags & assumeUnchanged ? 'assume-unchanged' : undefined
    entries.push({ mode: at + modeAt, blob: at + statBytes, path: name, length })
    // A file with conflicts has several entries. Use only the first one.
    if (path !== last)
      found.push({
        path,
        tracked: true,
        blob: bytes.toString('hex', at + statBytes, end),
        mode: modeText(mode),
        isModule: mode === 0o160000,
        ...(flag && { flag }),
        changed: bytes.readUInt32BE(at),
      })
    last = path
    // Entries are padded with one to eight zero bytes.
    at += ((name - at + length + 8) >> 3) << 3
  }
  const trees = treeLists(bytes, at, hash)
  return trees && { files: found, places: { bytes, hash, entries, trees } }
}

const modeText = (mode: number): string => (mode === 0o100644 ? '100644' : mode.toString(8))

/**
 * If the index has one of these extensions, `readIndex` returns undefined. Either the entries are not the full list
 * of tracked files, or git might read other entries than this code does.
 */
const changing = ['link', 'sdir', 'EOIE', 'IEOT']

/** Returns undefined if the index has an extension that changes its entries. */
const treeLists = (bytes: Buffer, start: number, hash: number): IndexPlaces['trees'] | undefined => {
  const found: IndexPlaces['trees'] = []
  let at = start
  while (at + 8 + hash <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4)
    if (changing.includes(name)) return undefined
    const from = at + 8
    at = from + bytes.readUInt32BE(at + 4)
    if (name === 'TREE') found.push({ from, to: at })
  }
  return at + hash === bytes.length ? found : undefined
}
