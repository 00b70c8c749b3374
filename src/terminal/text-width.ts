/** How many columns of a terminal a text takes. Colours take none. */
export const widthOf = (text: string): number => {
  for (let i = 0; i < text.length; i++) if (!isNarrow(text.charCodeAt(i))) return measured(text)
  return text.length
}

/**
 * Whether a character surely takes one column. A text with only such characters is measured without the patterns below,
 * which take long to compile.
 */
const isNarrow = (code: number): boolean =>
  (code >= 0x20 && code < 0x300) ||
  (code >= 0x2500 && code < 0x25fd) ||
  code === 0x2026 ||
  code === 0x2713 ||
  code === 0x2717

/**
 * Whether `isNarrow` holds for every character of a text. For a long text, one pattern is faster than a loop. But
 * compiling the pattern takes about 40 page faults. So a text that contains only ASCII characters and the marks of a
 * status is checked without the pattern.
 */
export const isNarrowText = (text: string): boolean =>
  isAsciiWithMarks(text) || !/[^\u0020-\u02ff\u2500-\u25fc\u2026\u2713\u2717]/.test(text)

/** The marks of a status. In UTF-8, each takes two bytes more than an ASCII character. */
const marks = ['\u25cb', '\u25d0', '\u2713', '\u25a0']

/**
 * Whether a text surely has only ASCII characters and marks, and no control characters. Finds control characters by the
 * backslash with which `JSON.stringify` writes them. Misses the control character U+007F, but `isNarrow` accepts
 * that character anyway.
 */
const isAsciiWithMarks = (text: string): boolean => {
  if (JSON.stringify(text).includes('\\')) return false
  let more = new TextEncoder().encode(text).length - text.length
  for (const mark of marks) if (more > 0) more -= (text.split(mark).length - 1) * 2
  return more === 0
}

const measured = (text: string): number => {
  let width = 0
  for (const { columns } of piecesOf(text)) width += columns
  return width
}

interface Piece {
  text: string
  columns: number
}

/**
 * Splits a text into colour codes, which take no column, and characters. Each character includes the marks that are
 * drawn onto it.
 */
const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = []
  for (const [piece] of text.matchAll(pieceOrColour()))
    pieces.push({ text: piece, columns: piece[0] === escapeCode ? 0 : columnsOf(piece) })
  return pieces
}

const escapeCode = '\u001b'
// Matches a colour code or one visible character. A flag emoji is two letters. A joiner puts emoji together. Marks,
// modifiers and selectors are drawn onto the character before them.
const pieceOrColour = () =>
  /\u001b\[[\d;]*m|\p{RI}\p{RI}|.(?:\p{M}|\p{EMod})*(?:\u200d\p{ExtPict}(?:\p{M}|\p{EMod})*)*/gsu
// This is a function, so that the pattern is compiled only when needed. Its Unicode properties make it slow to
// compile.
const wide = () =>
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const columnsOf = (piece: string): number => {
  if (/^\p{M}/u.test(piece)) return 0
  return wide().test(piece) || /[\ufe0f\u200d]/.test(piece) || /^\p{RI}{2}/u.test(piece) ? 2 : 1
}

/** Cuts a text to a width, with an ellipsis in its last column. Ends colours that are still on at the cut. */
export const cut = (text: string, width: number, ellipsis = '…'): string => {
  let used = 0
  let out = ''
  let isFull = false
  for (const piece of piecesOf(text)) {
    if (isFull) {
      if (piece.text[0] === escapeCode) out += piece.text
    } else if (used + piece.columns > width - ellipsis.length) {
      isFull = true
      out += ellipsis + ' '.repeat(Math.max(0, width - used - ellipsis.length))
    } else {
      used += piece.columns
      out += piece.text
    }
  }
  return out
}

/** Splits a text that has no blanks into parts of at most `width` columns. */
export const splitWide = (text: string, width: number): string[] => {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const piece of piecesOf(text)) {
    if (used + piece.columns > width && part !== '') {
      parts.push(part)
      part = ''
      used = 0
    }
    part += piece.text
    used += piece.columns
  }
  return [...parts, part]
}

/**
 * Breaks a text at its spaces into at most `most` lines. The text must not contain colour codes. The last line gets
 * all words that are left. Then cuts the lines that are too wide, for example because of a long word.
 */
export const wrapWords = (text: string, width: number, most: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of text.split(' ')) {
    const isFull = lines.length === most - 1
    if (!isFull && current !== '' && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current)
      current = word
    } else current += current === '' ? word : ` ${word}`
  }
  return [...lines, current].map((line) => (widthOf(line) > width ? cut(line, width).trimEnd() : line))
}
