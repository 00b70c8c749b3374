const quote = 0x22
const backslash = 0x5c
const open = { brace: 0x7b, bracket: 0x5b }
const close = { brace: 0x7d, bracket: 0x5d }
const colon = 0x3a
const comma = 0x2c
const newline = 0x0a

/** What JSON allows next. */
type Expected = 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end'

export interface Scan {
  /**
   * `whole`: the object ends at `end`. `broken`: JSON does not allow the byte at `end`, or that byte is a line break
   * and the next line is an entry. `open`: the bytes ended before the object was closed.
   */
  outcome: 'whole' | 'broken' | 'open'
  end: number
  /**
   * The offset of the first `{` within a string, or -1. If the object is broken, the next object might begin there.
   */
  inString: number
  /** Complete objects nested in the scanned object. */
  inner: { start: number; end: number }[]
}

export interface ScanOptions {
  bytes: Uint8Array
  /** The offset of the `{` at which the scan begins. */
  start: number
  limit: number
  /** Whether the line at an offset is a whole entry. Called for each line that begins inside the object. */
  isEntryAt(at: number): boolean
}

/**
 * Follows JSON from an opening brace to the end of its object, or to the first byte that JSON does not allow. Such
 * a byte shows that the line was cut off. The next line might begin at this byte. `JSON.parse` cannot be used,
 * because it does not return the offset of that byte.
 */
export const scanObject = ({ bytes, start, limit, isEntryAt }: ScanOptions): Scan => {
  const scan: Scan = { outcome: 'open', end: limit, inString: -1, inner: [] }
  const braces: { start: number; isObject: boolean }[] = []
  let expected: Expected = 'value'
  const ended = (outcome: Scan['outcome'], end: number): Scan => ({ ...scan, outcome, end })
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === newline && isEntryAt(at + 1)) return ended('broken', at)
    if (byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d) continue
    if (byte === quote) {
      if (expected === 'colon' || expected === 'comma or end') return ended('broken', at)
      const end = endOfString(bytes, at, limit, scan)
      if (end < 0) return scan
      if (bytes[end] !== quote) return ended('broken', end)
      at = end
      expected = expected.startsWith('key') ? 'colon' : 'comma or end'
    } else if (byte === open.brace || byte === open.bracket) {
      if (!expected.startsWith('value')) return ended('broken', at)
      braces.push({ start: at, isObject: byte === open.brace })
      expected = byte === open.brace ? 'key or end' : 'value or end'
    } else if (byte === close.brace || byte === close.bracket) {
      const last = braces.at(-1)!
      if (!expected.endsWith('or end') || last.isObject !== (byte === close.brace)) return ended('broken', at)
      braces.pop()
      if (braces.length === 0) return ended('whole', at + 1)
      if (last.isObject) scan.inner.push({ start: last.start, end: at + 1 })
      expected = 'comma or end'
    } else if (byte === colon && expected === 'colon') expected = 'value'
    else if (byte === comma && expected === 'comma or end')
      expected = braces.at(-1)!.isObject ? 'key' : 'value'
    else if (expected.startsWith('value') && isWordByte(byte)) {
      while (at + 1 < limit && isWordByte(bytes[at + 1]!)) at++
      expected = 'comma or end'
    } else return ended('broken', at)
  }
  return scan
}

/** Returns the offset of the closing quote or of a byte that no string may contain; -1 if there is neither. */
const endOfString = (bytes: Uint8Array, start: number, limit: number, scan: Scan): number => {
  for (let at = start + 1; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === quote || byte < 0x20) return at
    if (byte === open.brace && scan.inString < 0) scan.inString = at
    if (byte === backslash && bytes[at + 1] !== open.brace) at++
  }
  return -1
}

/** Whether a byte can be part of a number, `true`, `false` or `null`. `JSON.parse` checks the whole value later. */
const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45
