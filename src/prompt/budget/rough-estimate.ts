/**
 * Estimates the o200k tokens of a text by the lengths of its words, numbers and punctuation marks. `estimate` is more
 * exact, but it loads a table of 131 KB, which takes longer than all other work of a short command. The weights were
 * fitted to the answers in `test/cli`. The error is about 1 % over all answers together, and at most 10 % in nine of
 * ten answers.
 *
 * A command calls this function only once, so the engine interprets it and does not compile it. In interpreted code,
 * `charCodeAt` takes as long as ten other steps, so the function reads bytes instead of characters. Calling a function
 * takes even longer, so all comparisons of bytes are written out here. If they were in functions of their own, an
 * answer of 370 bytes would take three times as long.
 */
export const roughEstimate = (text: string): number => {
  const bytes = new TextEncoder().encode(text)
  const { length } = bytes
  let tokens = 0
  for (let at = 0; at < length; ) {
    const start = at
    const code = bytes[at++]!
    let next = bytes[at]!
    if ((code > 96 && code < 123) || (code > 64 && code < 91)) {
      // A word ends before a byte that is no letter, and between a lower-case and an upper-case letter, as in
      // `openTasks`.
      for (let last = code; (next > 96 && next < 123) || (next > 64 && next < 91 && last < 97); ) {
        last = next
        next = bytes[++at]!
      }
      tokens += at - start > 7 ? 1.05 + (at - start - 7) * 0.12 : 1.05
    } else if (code === 32 || (code > 8 && code < 14)) {
      let isBreak = code === 10
      while (next === 32 || (next > 8 && next < 14)) {
        if (next === 10) isBreak = true
        next = bytes[++at]!
      }
      // A single space costs nothing, because it belongs to the token of the word or the marks after it. Before a
      // digit, a space costs one token.
      if (isBreak) tokens += bytes[at - 1] === 32 && bytes[at - 2] === 32 ? 1.9 : 1
      else if (at - start > 1 || (next > 47 && next < 58)) tokens++
    } else if (code > 47 && code < 58) {
      while (bytes[at]! > 47 && bytes[at]! < 58) at++
      tokens += ((at - start + 2) / 3) | 0
    } else if (code < 128) {
      while (
        (next > 32 && next < 48) ||
        (next > 57 && next < 65) ||
        (next > 90 && next < 97) ||
        (next > 122 && next < 128) ||
        next < 9 ||
        (next > 13 && next < 32)
      )
        next = bytes[++at]!
      const marks = at - start
      // Line breaks belong to the token of the marks before them. A single mark before a word often belongs to the
      // token of that word.
      if (next === 10) tokens += marks > 3 ? (marks - 3) * 0.35 : 0
      else if (marks > 3) tokens += 1 + (marks - 3) * 0.35
      else tokens += marks === 1 && next > 64 && next < 123 && bytes[start - 1] !== 32 ? 0.58 : 1
    } else {
      // In UTF-8, the first byte of a character is 0xE2 or higher if the character is U+2000 or higher.
      const isSymbol = code >= 0xe2
      let units = 0
      for (at = start; bytes[at]! > 127 && isSymbol === bytes[at]! >= 0xe2; ) {
        // A character of four bytes counts twice, as in UTF-16.
        units += bytes[at]! < 0xf0 ? 1 : 2
        for (at++; bytes[at]! > 127 && bytes[at]! < 0xc0; ) at++
      }
      tokens += units * (isSymbol ? 1.2 : 0.6)
    }
  }
  // Rounds up without `Math`, because the engine creates 35 functions when `Math` is used for the first time.
  const whole = tokens | 0
  return whole < tokens ? whole + 1 : whole
}
