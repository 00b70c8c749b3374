import {
  isEntry,
  lineEnd,
  maxObjectBytes,
  newline,
  openBrace,
  parseObject,
  skipBlank,
  trimEnd,
  type WrittenFields,
  whyNotObject,
} from './parse-object.ts'
import { type Scan, scanObject } from './scan-object.ts'

/** A span of a manifest: a JSON object, or other bytes with the reason why they are not an object. */
export type ManifestPiece = Span & ({ value: WrittenFields } | { reason: string })

interface Span {
  start: number
  end: number
}

/**
 * What follows the given bytes. `more`: the file continues. `nothing yet`: the file ends here, and an incomplete last
 * line will be read again later. `nothing`: an incomplete last line is judged now.
 */
export type Remainder = 'more' | 'nothing yet' | 'nothing'

export interface SplitResult {
  pieces: ManifestPiece[]
  /**
   * How many bytes at the start need not be read again. The remaining bytes are read again once the file has grown.
   */
  consumed: number
}

/**
 * Splits the bytes of a manifest into objects and the rest. Agents append without a lock, so a line may be cut off,
 * glued to the next one or interrupted by another agent's line:
 *
 * - Almost every line is one JSON object and becomes one piece.
 * - Any other line goes to `salvageLine`. It finds the whole objects that begin on that line, even if they end on a
 *   later line. The bytes between the objects go to the quarantine.
 * - A last line without a newline may still be incomplete. If it is not a whole object, it is read again later.
 */
export const splitLines = (bytes: Uint8Array, behind: Remainder): SplitResult => {
  const pieces: ManifestPiece[] = []
  // Limits the time for a badly damaged manifest: its bytes are searched for objects about eight times at most.
  const budget: ScanBudget = { left: 8 * bytes.length + maxObjectBytes }
  let at = skipBlank(bytes, 0)
  while (at < bytes.length) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found
    const value = found < 0 && behind === 'more' ? undefined : parseObject(bytes, at, end)
    if (value) {
      pieces.push({ start: at, end: trimEnd(bytes, at, end), value })
      at = skipBlank(bytes, end)
    } else if (found < 0 && behind !== 'nothing') return { pieces, consumed: at }
    else {
      const salvaged = salvageLine({ bytes, behind, budget }, at, end)
      for (const piece of salvaged.pieces) pieces.push(piece)
      if (salvaged.waits) return { pieces, consumed: salvaged.at }
      at = skipBlank(bytes, salvaged.at)
    }
  }
  return { pieces, consumed: bytes.length }
}

/** How many more bytes may be scanned in search of objects. */
interface ScanBudget {
  left: number
}

/** If an opening brace turns out not to begin an entry, this many bytes are taken from the budget. */
const failedBraceCost = 1024

interface Source {
  bytes: Uint8Array
  behind: Remainder
  budget: ScanBudget
}

interface SalvagedLine {
  pieces: ManifestPiece[]
  /** The offset at which reading continues. */
  at: number
  /** True if the bytes from `at` may be the beginning of an object whose end is not written yet. */
  waits: boolean
}

/**
 * Finds the whole objects in a damaged line. The bytes between them become pieces with a reason. Every opening brace
 * may begin an object. If an object continues on the following lines, the search goes on to the end of the object's
 * last line. Examples, with `…` for what is lost:
 *
 *     {"id":"T001-a"}{"id":"T001-b"}        glued: two objects
 *     {"id":"T001-a","ti…{"id":"T001-b"}    torn, then glued: bytes with a reason, then the second object
 *     {"id":"T001-a",{"id":"T001-b"}        interrupted: the second object is inside the first, which is broken
 */
const salvageLine = ({ bytes, behind, budget }: Source, start: number, firstEnd: number): SalvagedLine => {
  const pieces: ManifestPiece[] = []
  const isEntryAt = cached((at) => isEntryLine(bytes, at))
  const addRest = (from: number, to: number): void => {
    const begin = skipBlank(bytes, from)
    const end = trimEnd(bytes, from, to)
    if (begin < end) pieces.push({ start: begin, end, reason: whyNotObject(bytes.subarray(begin, end)) })
  }
  let end = firstEnd
  let unused = start
  let at = start
  for (;;) {
    const brace = indexBefore(end, bytes, openBrace, at)
    if (brace < 0) break
    if (budget.left < 0) {
      end = beforeNextObjectLine(bytes, end, behind)
      break
    }
    const scan = scanObject({ bytes, start: brace, limit: bytes.length, isEntryAt })
    budget.left -= scan.end - brace
    const span = objectSpan(bytes, brace, scan)
    const mayGoOn = scan.outcome === 'open' && bytes.length - brace < maxObjectBytes
    if (mayGoOn && (behind !== 'nothing yet' || !span)) {
      addRest(unused, brace)
      return { pieces, at: brace, waits: true }
    }
    const value = span && !isAfterHiddenBrace(scan, span) && parseObject(bytes, span.start, span.end)
    if (!value || !isEntry(value)) budget.left -= failedBraceCost
    if (value) {
      addRest(unused, span.start)
      pieces.push({ ...span, value })
      unused = span.end
      at = span.end
    } else at = scan.inString > brace ? scan.inString : Math.max(endOfFailed(scan, bytes), brace + 1)
    if (at > end) end = lineEnd(bytes, at)
  }
  addRest(unused, end)
  return { pieces, at: end, waits: false }
}

/** Returns the object that a scan found: the whole object, or the first entry inside a damaged one. */
const objectSpan = (bytes: Uint8Array, start: number, { outcome, end, inner }: Scan): Span | undefined => {
  const isWhole = outcome === 'whole'
  const entry = !isWhole || isInterrupted(bytes, start, end) ? entryIn(bytes, inner) : undefined
  return entry ?? (isWhole ? { start, end } : undefined)
}

/**
 * Whether another agent may have written its line into the middle of this valid object. This is likely if there is text
 * between the first brace and the first line break. Without text between them, a person or program wrote the object on
 * several lines.
 */
const isInterrupted = (bytes: Uint8Array, start: number, end: number): boolean => {
  const broken = bytes.subarray(start, end).indexOf(newline)
  return broken >= 0 && skipBlank(bytes, start + 1) < start + broken
}

/** Ignores objects inside other objects. */
const entryIn = (bytes: Uint8Array, inner: readonly Span[]): Span | undefined => {
  let past = 0
  for (const span of inner.toSorted((a, b) => a.start - b.start)) {
    if (span.start < past) continue
    if (isEntry(parseObject(bytes, span.start, span.end))) return span
    past = span.end
  }
  return undefined
}

/**
 * Whether a string in a damaged object contains a `{` before `span`. Such a `{` may be the start of the next object,
 * so the search must continue there first.
 */
const isAfterHiddenBrace = ({ outcome, inString }: Scan, span: Span): boolean =>
  outcome !== 'whole' && inString >= 0 && inString < span.start

/**
 * Returns where to continue after a failed scan. If the scan reached the end of the bytes, returns the last line break,
 * because the last line may be incomplete.
 */
const endOfFailed = ({ outcome, end }: Scan, bytes: Uint8Array): number => {
  const last = outcome === 'open' ? bytes.lastIndexOf(newline) : -1
  return last < 0 ? end : last
}

/**
 * Returns where the search in a damaged line stops when the budget is used up. It stops before the next line that is
 * an object or might be incomplete. If there is no such line, it stops at the end of the bytes.
 */
const beforeNextObjectLine = (bytes: Uint8Array, firstEnd: number, behind: Remainder): number => {
  for (let end = firstEnd; end < bytes.length; ) {
    const next = lineEnd(bytes, end + 1)
    const waits = next === bytes.length && behind !== 'nothing'
    if (waits || parseObject(bytes, end + 1, next)) return end
    end = next
  }
  return bytes.length
}

const isEntryLine = (bytes: Uint8Array, at: number): boolean => {
  const start = skipBlank(bytes, at)
  return bytes[start] === openBrace && isEntry(parseObject(bytes, start, lineEnd(bytes, start)))
}

const indexBefore = (end: number, bytes: Uint8Array, byte: number, from: number): number => {
  const found = bytes.subarray(from, end).indexOf(byte)
  return found < 0 ? -1 : from + found
}

const cached = (compute: (at: number) => boolean): ((at: number) => boolean) => {
  const results = new Map<number, boolean>()
  return (at) => {
    const result = results.get(at) ?? compute(at)
    results.set(at, result)
    return result
  }
}
