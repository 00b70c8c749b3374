/**
 * Estimates the o200k tokens of a text by the lengths of its words, numbers and punctuation marks. `estimate` is more
 * exact, but it loads a table of 131 KB, which takes longer than all other work of a short command. The weights were
 * fitted to the answers in `test/cli`. The error is about 1 % over all answers together, and at most 10 % in nine of
 * ten answers. A command calls this function only once, so the engine interprets it and does not compile it. In
 * interpreted code, `charCodeAt` takes as long as ten other steps. So the function reads bytes instead of characters.
 */
export const roughEstimate = (text: string): number => {
  const bytes = new TextEncoder().encode(text)
  let tokens = 0
  for (let start = 0; start < bytes.length; ) {
    const code = bytes[start]!
    let end = start + 1
    if (isLetter(code)) {
      end = wordEnd(bytes, start)
      tokens += end - start > 7 ? 1.05 + (end - start - 7) * 0.12 : 1.05
    } else if (code === 32 || (code > 8 && code < 14)) {
      while (bytes[end] === 32 || (bytes[end]! > 8 && bytes[end]! < 14)) end++
      tokens += spaceCost(bytes, start, end)
    } else if (code > 47 && code < 58) {
      while (bytes[end]! > 47 && bytes[end]! < 58) end++
      tokens += ((end - start + 2) / 3) | 0
    } else if (code < 128) {
      while (isMark(bytes[end]!)) end++
      tokens += markCost(bytes, start, end)
    } else {
      // In UTF-8, every character from U+2000 on starts with the byte 0xE2 or a higher one.
      const isSymbol = code >= 0xe2
      let units = 0
      for (end = start; bytes[end]! > 127 && isSymbol === bytes[end]! >= 0xe2; ) {
        // A character of four bytes counts twice, as in UTF-16.
        units += bytes[end]! < 0xf0 ? 1 : 2
        for (end++; bytes[end]! > 127 && bytes[end]! < 0xc0; ) end++
      }
      tokens += units * (isSymbol ? 1.2 : 0.6)
    }
    start = end
  }
  // Rounds up without `Math`, because the engine creates 35 functions when `Math` is used for the first time.
  const whole = tokens | 0
  return whole < tokens ? whole + 1 : whole
}

const isLetter = (code: number): boolean => (code > 96 && code < 123) || (code > 64 && code < 91)

const isMark = (code: number): boolean =>
  code < 128 && !(code === 32 || (code > 8 && code < 14) || (code > 47 && code < 58) || isLetter(code))

/**
 * Returns the end of a word. A word ends before a character that is not a letter, and between a lower-case and an
 * upper-case letter, as in `openTasks`.
 */
const wordEnd = (bytes: Uint8Array, start: number): number => {
  let last = bytes[start]!
  for (let end = start + 1; ; end++) {
    const code = bytes[end]!
    if (!(code > 96 && code < 123) && !(code > 64 && code < 91 && last < 97)) return end
    last = code
  }
}

/**
 * A single space costs nothing, because it belongs to the token of the word or the marks after it. Before a digit, a
 * space costs one token.
 */
const spaceCost = (bytes: Uint8Array, start: number, end: number): number => {
  for (let i = start; i < end; i++)
    if (bytes[i] === 10) return bytes[end - 1] === 32 && bytes[end - 2] === 32 ? 1.9 : 1
  return end - start > 1 || (bytes[end]! > 47 && bytes[end]! < 58) ? 1 : 0
}

/**
 * Line breaks belong to the token of the marks before them. A single mark before a word often belongs to the token of
 * that word.
 */
const markCost = (bytes: Uint8Array, start: number, end: number): number => {
  const length = end - start
  if (bytes[end] === 10) return length > 3 ? (length - 3) * 0.35 : 0
  if (length === 1 && isLetter(bytes[end]!) && bytes[start - 1] !== 32) return 0.58
  return length > 3 ? 1 + (length - 3) * 0.35 : 1
}
