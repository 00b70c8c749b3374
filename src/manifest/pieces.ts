import { type Recognised, recognise } from './recognise.ts'

export type Fields = Record<string, unknown>

/** A part of a file of entries: an object, or something else and what is wrong with it. */
export type Piece = { start: number; end: number } & ({ value: Fields } | { reason: string })

export interface Pieces {
  pieces: Piece[]
  /** From here on it has to be looked at again once more of the file is there. */
  consumed: number
}

/** Beyond this an object is no entry, however it is written. */
const mostParsed = 256 * 1024
const deepest = 32
/** What a start that leads to no entry costs, in bytes gone over. */
const missed = 1024
const newline = 0x0a
const brace = 0x7b
const closing = 0x7d

/** What comes behind the bytes: more of the file, nothing yet, or nothing that is worth waiting for. */
export type Behind = 'more' | 'nothing yet' | 'nothing'

/**
 * Parts the bytes of a file of entries into objects and the rest. A line that is an object is one; otherwise whatever
 * whole objects are in it, or go on over several lines, are taken out, and what is between them is left as it is. An
 * end without a newline waits, unless it is whole.
 */
export const piecesOf = (bytes: Uint8Array, behind: Behind): Pieces => {
  const pieces: Piece[] = []
  // Whatever somebody has put there, it is not gone over more often than this.
  const budget: Budget = { left: 8 * bytes.length + mostParsed }
  let at = skipBlank(bytes, 0)
  while (at < bytes.length) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found
    const value = found < 0 && behind === 'more' ? undefined : objectIn(bytes, at, end)
    if (value) {
      pieces.push({ start: at, end: trimmedEnd(bytes, at, end), value })
      at = skipBlank(bytes, end)
    } else if (found < 0 && behind !== 'nothing') return { pieces, consumed: at }
    else {
      const salvaged = salvage({ bytes, behind, budget }, at, end)
      for (const piece of salvaged.pieces) pieces.push(piece)
      if (salvaged.waits) return { pieces, consumed: salvaged.at }
      at = skipBlank(bytes, salvaged.at)
    }
  }
  return { pieces, consumed: bytes.length }
}

interface Budget {
  left: number
}

interface Source {
  bytes: Uint8Array
  behind: Behind
  budget: Budget
}

interface Salvaged extends Pick<Pieces, 'pieces'> {
  /** What comes behind it. */
  at: number
  waits: boolean
}

interface Span {
  start: number
  end: number
}

/** The whole objects among the bytes that begin on a line, and the rest between them. */
const salvage = ({ bytes, behind, budget }: Source, start: number, lineEnd: number): Salvaged => {
  const pieces: Piece[] = []
  const isEntryAt = remembered((at) => isEntryLine(bytes, at))
  const rest = (from: number, to: number): void => {
    const end = trimmedEnd(bytes, from, to)
    const begin = skipBlank(bytes, from)
    if (begin < end) pieces.push({ start: begin, end, reason: reasonFor(bytes.subarray(begin, end)) })
  }
  let end = lineEnd
  let left = start
  let at = start
  for (;;) {
    const next = indexBefore(end, bytes, brace, at)
    if (next < 0) break
    if (budget.left < 0) {
      end = endOfRubbish(bytes, end, behind)
      break
    }
    const run = recognise({ bytes, start: next, limit: bytes.length, isEntryAt })
    budget.left -= run.end - next
    const waits = run.outcome === 'open' && bytes.length - next < mostParsed
    const inner =
      run.outcome !== 'whole' || isWrittenBetween(bytes, next, run.end)
        ? entryIn(bytes, run.inner)
        : undefined
    const span = inner ?? (run.outcome === 'whole' ? { start: next, end: run.end } : undefined)
    if (waits && (behind !== 'nothing yet' || !span)) {
      rest(left, next)
      return { pieces, at: next, waits }
    }
    const first = run.inString < 0 || run.outcome === 'whole' ? undefined : run.inString
    const value = span && (first ?? span.start) >= span.start && objectIn(bytes, span.start, span.end)
    if (!value || !isEntry(value)) budget.left -= missed
    if (value) {
      rest(left, span.start)
      pieces.push({ ...span, value })
      left = span.end
      at = span.end
    } else at = run.inString > next ? run.inString : Math.max(endOf(run, bytes), next + 1)
    if (at > end) {
      // It went on over several lines.
      end = lineEndAfter(bytes, at)
    }
  }
  rest(left, end)
  return { pieces, at: end, waits: false }
}

/** Where the next line begins that is an object as it stands: what is before it is not worth another look. */
const endOfRubbish = (bytes: Uint8Array, lineEnd: number, behind: Behind): number => {
  for (let end = lineEnd; end < bytes.length; ) {
    const next = lineEndAfter(bytes, end + 1)
    const waits = next === bytes.length && behind !== 'nothing'
    if (waits || objectIn(bytes, end + 1, next)) return end
    end = next
  }
  return bytes.length
}

/** Where one that is no object ends. The line that the bytes end with may only have begun. */
const endOf = ({ outcome, end }: Recognised, bytes: Uint8Array): number => {
  const last = outcome === 'open' ? bytes.lastIndexOf(newline) : -1
  return last < 0 ? end : last
}

const indexBefore = (end: number, bytes: Uint8Array, byte: number, from: number): number => {
  const found = bytes.subarray(from, end).indexOf(byte)
  return found < 0 ? -1 : from + found
}

const remembered = (ask: (at: number) => boolean): ((at: number) => boolean) => {
  const answers = new Map<number, boolean>()
  return (at) => {
    const answer = answers.get(at) ?? ask(at)
    answers.set(at, answer)
    return answer
  }
}

/**
 * Whether an object that goes on over lines was not meant to: somebody else's line has come in between its two halves,
 * and happens to fit. One that is spread out on purpose breaks the line after its first brace.
 */
const isWrittenBetween = (bytes: Uint8Array, start: number, end: number): boolean => {
  const broken = bytes.subarray(start, end).indexOf(newline)
  return broken >= 0 && skipBlank(bytes, start + 1) < start + broken
}

/** The first of some whole objects that is an entry, and not a part of one. */
const entryIn = (bytes: Uint8Array, inner: readonly Span[]): Span | undefined => {
  let past = 0
  for (const span of inner.toSorted((a, b) => a.start - b.start)) {
    if (span.start < past) continue
    if (isEntry(objectIn(bytes, span.start, span.end))) return span
    past = span.end
  }
  return undefined
}

const isEntryLine = (bytes: Uint8Array, at: number): boolean => {
  const start = skipBlank(bytes, at)
  return bytes[start] === brace && isEntry(objectIn(bytes, start, lineEndAfter(bytes, start)))
}

const isEntry = (value: Fields | undefined): boolean =>
  typeof value?.['id'] === 'string' && ('status' in value || 'file' in value || 'title' in value)

const lineEndAfter = (bytes: Uint8Array, at: number): number => {
  const found = bytes.indexOf(newline, at)
  return found < 0 ? bytes.length : found
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

const objectIn = (bytes: Uint8Array, start: number, end: number): Fields | undefined => {
  // Finding out by the parser takes far longer.
  if (bytes[start] !== brace || bytes[trimmedEnd(bytes, start, end) - 1] !== closing) return undefined
  if (end - start > mostParsed) return undefined
  const value = parsed(bytes.subarray(start, end))
  return isObject(value) && !isDeeper(value, deepest) ? value : undefined
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDeeper = (value: unknown, most: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (most === 0) return true
  for (const inner of Object.values(value)) if (isDeeper(inner, most - 1)) return true
  return false
}

const isBlank = (byte: number | undefined): boolean =>
  byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d

/** Past spaces, ends of lines and a byte order mark. */
const skipBlank = (bytes: Uint8Array, from: number): number => {
  for (let at = from; ; ) {
    if (isBlank(bytes[at])) at++
    else if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3
    else return at
  }
}

const trimmedEnd = (bytes: Uint8Array, start: number, end: number): number => {
  let at = end
  while (at > start && isBlank(bytes[at - 1])) at--
  return at
}

const markers = ['<<<<<<<', '=======', '>>>>>>>', '|||||||']

const valueStarts = '{["-0123456789tfn'

const reasonFor = (bytes: Uint8Array): string => {
  if (bytes.length > mostParsed) return 'is larger than an entry may be'
  if (bytes.includes(0)) return 'holds NUL bytes'
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return 'is not valid UTF-8'
  }
  if (markers.some((marker) => text.startsWith(marker))) return 'is a mark of a merge conflict'
  const isCut = bytes[0] === brace && bytes.at(-1) !== closing
  const value = valueStarts.includes(text[0]!) && !isCut ? parsed(bytes) : undefined
  if (isObject(value)) return 'is nested too deep'
  if (value !== undefined) return 'is JSON, but no object'
  return bytes[0] === brace ? 'is cut off, or is not valid JSON' : 'is not JSON'
}
