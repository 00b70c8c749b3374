import { readFileSync } from 'node:fs'

/**
 * Returns the files that changed at or after a time, as git's index records the times of the last change. Where git finds
 * that a file has the stat data of the index, this is the time of the file itself, so no file has to be looked at.
 * Undefined for a format of the index that is not read here: version 4, a split or a sparse index.
 */
export const changedInIndex = (index: string, since: number): ReadonlySet<string> | undefined => {
  const bytes = readIndex(index)
  if (bytes?.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) > 3) return undefined
  // The length of hashes follows from the length of the first entry's name, which must end with a zero byte.
  for (const hash of [20, 32]) {
    const found = readEntries(bytes, hash, Math.floor(since / 1000))
    if (found) return found
  }
  return undefined
}

const readIndex = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const statBytes = 40
const extended = 0x4000
const longName = 0xfff

const readEntries = (bytes: Buffer, hash: number, since: number): Set<string> | undefined => {
  const found = new Set<string>()
  const count = bytes.readUInt32BE(8)
  let at = 12
  for (let n = 0; n < count; n++) {
    if (at + statBytes + hash + 2 > bytes.length) return undefined
    const flags = bytes.readUInt16BE(at + statBytes + hash)
    const name = at + statBytes + hash + (flags & extended ? 4 : 2)
    const length = (flags & longName) === longName ? bytes.indexOf(0, name) - name : flags & longName
    if (length <= 0 || bytes[name + length] !== 0) return undefined
    if (bytes.readUInt32BE(at) >= since) found.add(bytes.toString('utf8', name, name + length))
    // Entries are padded with one to eight zero bytes.
    at += ((name - at + length + 8) >> 3) << 3
  }
  return hasOnlyKnown(bytes, at, hash) ? found : undefined
}

/** Extensions that change which entries the index has. */
const changing = ['link', 'sdir']

const hasOnlyKnown = (bytes: Buffer, from: number, hash: number): boolean => {
  let at = from
  while (at + 8 + hash <= bytes.length) {
    if (changing.includes(bytes.toString('latin1', at, at + 4))) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at + hash === bytes.length
}
