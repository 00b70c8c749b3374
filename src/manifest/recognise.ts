const quote = 0x22
const backslash = 0x5c
const open = { brace: 0x7b, bracket: 0x5b }
const close = { brace: 0x7d, bracket: 0x5d }
const colon = 0x3a
const comma = 0x2c
const newline = 0x0a

/** What may come next. */
type Expected = 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end'

export interface Recognised {
  /** `whole`: an object ends at `end`. `broken`: no object can begin here, seen at `end`. `open`: the bytes ran out. */
  outcome: 'whole' | 'broken' | 'open'
  end: number
  /** Where an object could begin inside of what was taken for a string: the place to look next, when this one is broken. */
  inString: number
  /** Whole objects inside of this one. */
  inner: { start: number; end: number }[]
}

export interface RecogniseOptions {
  bytes: Uint8Array
  /** Of a `{`. */
  start: number
  /** Where to stop. */
  limit: number
  /** Asked at each newline inside the object: whether what follows is an entry of its own. */
  isEntryAt(at: number): boolean
}

/**
 * Follows JSON from an opening brace to where its object ends, or to the first byte that cannot be. `JSON.parse` does not
 * say where it stopped, and that is what parts a torn line from the good one that follows it.
 */
export const recognise = ({ bytes, start, limit, isEntryAt }: RecogniseOptions): Recognised => {
  const found: Recognised = { outcome: 'open', end: limit, inString: -1, inner: [] }
  const braces: { start: number; isObject: boolean }[] = []
  let expected: Expected = 'value'
  const ended = (outcome: Recognised['outcome'], end: number): Recognised => ({ ...found, outcome, end })
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === newline && isEntryAt(at + 1)) return ended('broken', at)
    if (byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d) continue
    if (byte === quote) {
      if (expected === 'colon' || expected === 'comma or end') return ended('broken', at)
      const end = endOfString(bytes, at, limit, found)
      if (end < 0) return found
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
      if (last.isObject) found.inner.push({ start: last.start, end: at + 1 })
      expected = 'comma or end'
    } else if (byte === colon && expected === 'colon') expected = 'value'
    else if (byte === comma && expected === 'comma or end')
      expected = braces.at(-1)!.isObject ? 'key' : 'value'
    else if (expected.startsWith('value') && isWordByte(byte)) {
      while (at + 1 < limit && isWordByte(bytes[at + 1]!)) at++
      expected = 'comma or end'
    } else return ended('broken', at)
  }
  return found
}

/** Of the closing quote, or of what cannot be in a string; -1 where the bytes run out. */
const endOfString = (bytes: Uint8Array, start: number, limit: number, found: Recognised): number => {
  for (let at = start + 1; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === quote || byte < 0x20) return at
    if (byte === open.brace && found.inString < 0) found.inString = at
    if (byte === backslash && bytes[at + 1] !== open.brace) at++
  }
  return -1
}

/** Numbers, `true`, `false` and `null`; which of them it is, is for the parser. */
const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45
