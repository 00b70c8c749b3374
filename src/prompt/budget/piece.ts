/**
 * The end of the piece of text that starts at a place. A tokenizer of the o200k family first divides text into such
 * pieces and then each piece into tokens, so that no token ever spans two: a word with one character before it, up to
 * three digits, a run of marks with the line breaks behind it, white space.
 */
export const pieceEnd = (text: string, start: number): number => {
  const first = kindAt(text, start)
  if (first <= letter) return wordEnd(text, start)
  if (first === digit) return digitsEnd(text, start)
  if (first !== newline && kindAt(text, start + 1) <= letter) return wordEnd(text, start + 1)
  const at = text.charCodeAt(start) === 32 ? start + 1 : start
  return kindAt(text, at) === mark ? marksEnd(text, at) : spaceEnd(text, start)
}

const lower = 0
const upper = 1
/** Of a script without cases, or of one whose cases we do not tell apart. */
const letter = 2
const digit = 3
const newline = 4
const space = 5
const mark = 6
const nothing = 7

const kindAt = (text: string, at: number): number => {
  if (at >= text.length) return nothing
  const code = text.charCodeAt(at)
  if (code > 127) return kindBeyondAscii(text, at, code)
  return asciiKinds[code]!
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code > 96 && code < 123) return lower
  if (code > 64 && code < 91) return upper
  if (code > 47 && code < 58) return digit
  if (code === 10 || code === 13) return newline
  return code === 32 || code === 9 || code === 11 || code === 12 ? space : mark
})

/** By blocks of Unicode: a few characters that differ from their neighbours do not matter to an estimate. */
const kindBeyondAscii = (text: string, at: number, code: number): number => {
  if (code < 0xc0) return code === 0xa0 || code === 0x85 ? space : mark
  if (code < 0x2000) return code === 0xd7 || code === 0xf7 ? mark : letter
  if (code < 0x2c00) return code <= 0x200a || code === 0x2028 || code === 0x2029 ? space : mark
  if (code < 0x3040) return code === 0x3000 ? space : code < 0x2e00 ? letter : mark
  if (code < 0xd800) return letter
  if (code < 0xe000) return isPictograph(text, at, code) ? mark : letter
  if (code < 0xf900) return mark
  return code < 0xff00 || code > 0xff20 ? letter : mark
}

const isPictograph = (text: string, at: number, code: number): boolean => {
  const high = code < 0xdc00 || at === 0 ? code : text.charCodeAt(at - 1)
  return high >= 0xd83c && high <= 0xd83e
}

/** Capitals, then small letters, then an ending such as `'s` or `'ll`. */
const wordEnd = (text: string, start: number): number => {
  let at = start
  for (let kind = kindAt(text, at); kind === upper || kind === letter; kind = kindAt(text, at)) at++
  for (let kind = kindAt(text, at); kind === lower || kind === letter; kind = kindAt(text, at)) at++
  return text.charCodeAt(at) === 39 ? at + endingLength(text, at) : at
}

const endingLength = (text: string, at: number): number => {
  const [one, two] = [text.charCodeAt(at + 1) | 32, text.charCodeAt(at + 2) | 32]
  if (one === 115 || one === 116 || one === 109 || one === 100) return 2
  return (one === 108 && two === 108) || ((one === 118 || one === 114) && two === 101) ? 3 : 0
}

const digitsEnd = (text: string, start: number): number => {
  let at = start + 1
  while (at < start + 3 && kindAt(text, at) === digit) at++
  return at
}

const marksEnd = (text: string, start: number): number => {
  let at = start
  while (kindAt(text, at) === mark) at++
  for (let code = text.charCodeAt(at); code === 10 || code === 13 || code === 47; code = text.charCodeAt(at))
    at++
  return at
}

/** Up to the last line break; without one, all but the last blank, which goes to the word behind it. */
const spaceEnd = (text: string, start: number): number => {
  let at = start
  let broken = start
  for (let kind = kindAt(text, at); kind === space || kind === newline; kind = kindAt(text, at)) {
    at++
    if (kind === newline) broken = at
  }
  if (broken > start) return broken
  return at === text.length || at === start + 1 ? at : at - 1
}
