import { newHash } from '../host/sha256.ts'

/** Where the entries of an index are, in its bytes. */
export interface IndexPlaces {
  bytes: Buffer
  /** The number of bytes of a hash. */
  hash: number
  /** The entries, in order. `mode`, `blob` and `path` are positions in `bytes`. `length` is the length of the path. */
  entries: { mode: number; blob: number; path: number; length: number }[]
  /** Where each list of trees starts and ends. Git writes at most one. */
  trees: { from: number; to: number }[]
}

/** What the index says about a folder: the number of entries below it, and where its tree's hash is. */
interface Claim {
  count: number
  hash: number
}

/**
 * Whether the list of trees in the index matches the entries. To find out, hashes the entries as `git write-tree`
 * does. Git itself trusts the list. If a folder has the same tree in the list and in a commit, git does not compare the
 * files in that folder. So an agent could hide staged changes with a wrong list.
 */
export const hasTrueTrees = (places: IndexPlaces): boolean => {
  if (places.trees.length === 0) return true
  const claims = places.trees.length === 1 ? readClaims(places) : undefined
  if (!claims) return false
  const work: Work = { ...places, claims, scratch: Buffer.alloc(scratchBytes), at: 0, seen: 0, isTrue: true }
  hashFolder(work, '', 0, places.entries.length)
  return work.isTrue && work.seen === claims.size
}

/** No system accepts longer paths. */
const longestPath = 4096
const scratchBytes = 1 << 16
/** Room for the word `tree` and the size, which come before the records. */
const headBytes = 16

/** The keys are the paths of the folders. Returns undefined if the list has another format. */
const readClaims = ({ bytes, hash, trees: [list] }: IndexPlaces): Map<string, Claim> | undefined => {
  const claims = new Map<string, Claim>()
  const { from, to } = list!
  let at = from
  const read = (above: string): boolean => {
    const end = bytes.indexOf(0, at)
    const lineEnd = bytes.indexOf(0x0a, end)
    if (end < 0 || lineEnd < 0 || lineEnd >= to) return false
    const path = at === from ? '' : `${above}${bytes.toString('latin1', at, end)}/`
    // Only the first record has an empty name. The length is limited, because a forged list with a long path could
    // exhaust the stack.
    if ((end === at) !== (at === from) || path.length > longestPath) return false
    const [count = Number.NaN, folders = Number.NaN] = bytes
      .toString('latin1', end + 1, lineEnd)
      .split(' ')
      .map(Number)
    at = lineEnd + 1
    if (!Number.isInteger(count) || !Number.isInteger(folders)) return false
    if (count >= 0) {
      if (claims.has(path)) return false
      claims.set(path, { count, hash: at })
      at += hash
    }
    for (let n = 0; n < folders; n++) if (!read(path)) return false
    return at <= to
  }
  return read('') && at === to ? claims : undefined
}

interface Work extends IndexPlaces {
  claims: ReadonlyMap<string, Claim>
  /** The unfinished trees of the current folder and of the folders above it. */
  scratch: Buffer
  /** The position after the last byte written to `scratch`. */
  at: number
  seen: number
  isTrue: boolean
}

/**
 * Hashes the tree of a folder, and compares the hash with the claim of the list. The entries of the folder are at the
 * positions from `first` to `end - 1`.
 */
const hashFolder = (work: Work, folder: string, first: number, end: number): string => {
  const { bytes, entries, hash } = work
  if (folder.length > longestPath) {
    work.isTrue = false
    return ''
  }
  const start = work.at + headBytes
  work.at = start
  const prefix = folder.length
  for (let n = first; n < end; ) {
    const { mode, blob, path, length } = entries[n]!
    const slash = bytes.indexOf(0x2f, path + prefix)
    if (slash < 0 || slash >= path + length) {
      addRecord(work, modeText(bytes.readUInt32BE(mode)), path + prefix, path + length)
      bytes.copy(work.scratch, work.at, blob, blob + hash)
      work.at += hash
      n++
    } else {
      const below = slash + 1 - path
      let next = n + 1
      while (next < end && isBelow(bytes, entries[next]!, path, below)) next++
      const tree = hashFolder(work, bytes.toString('latin1', path, slash + 1), n, next)
      addRecord(work, '40000 ', path + prefix, slash)
      work.at += work.scratch.write(tree, work.at, 'hex')
      n = next
    }
  }
  const head = `tree ${work.at - start}\0`
  work.scratch.write(head, start - head.length, 'latin1')
  const hasher = newHash(hash === 32 ? 'sha256' : 'sha1')
  hasher.update(work.scratch.subarray(start - head.length, work.at))
  const found = hasher.digest('hex')
  work.at = start - headBytes
  const claim = work.claims.get(folder)
  if (claim) {
    work.seen++
    if (claim.count !== end - first || found !== bytes.toString('hex', claim.hash, claim.hash + hash))
      work.isTrue = false
  }
  return found
}

const isBelow = (
  bytes: Buffer,
  { path, length }: IndexPlaces['entries'][number],
  folder: number,
  below: number,
): boolean => length > below && bytes.compare(bytes, path, path + below, folder, folder + below) === 0

/** Adds mode and name of a record, and makes room for its hash. */
const addRecord = (work: Work, mode: string, from: number, to: number): void => {
  const needed = work.at + mode.length + (to - from) + 1 + work.hash
  if (needed > work.scratch.length) work.scratch = Buffer.concat([work.scratch], needed * 2)
  work.at += work.scratch.write(mode, work.at, 'latin1')
  work.at += work.bytes.copy(work.scratch, work.at, from, to)
  work.scratch[work.at++] = 0
}

const modeText = (mode: number): string => (mode === 0o100644 ? '100644 ' : `${mode.toString(8)} `)
