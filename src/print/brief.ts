import { printable } from './printable.ts'

/**
 * Returns the beginning of a text as one printable line. Cuts the text at `bytes` bytes. A model token has at least one
 * byte, so in any language the line has at most `bytes` tokens.
 */
export const brief = (text: string, bytes: number): string =>
  text.length <= bytes - ellipsis && isOneLine(text) ? text : shortened(text, bytes)

/**
 * Whether a text is one line of printable ASCII with single spaces, as most texts are. Such a text needs no change,
 * and this check is faster than all steps of `shortened`.
 */
const isOneLine = (text: string): boolean => {
  let last = space
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < space || code > 0x7e || (code === space && last === space)) return false
    last = code
  }
  return last !== space || text === ''
}
const space = 0x20

const shortened = (text: string, bytes: number): string => {
  // Making text printable never shortens it, so only the first `bytes` characters of a long text are needed.
  const line = printable(text.slice(0, bytes).toWellFormed().replaceAll(/\s+/g, ' ').trim())
  let end = 0
  let used = 0
  for (const char of line) {
    used += bytesOf(char.codePointAt(0)!)
    if (used > bytes - ellipsis) break
    end += char.length
  }
  return end === line.length && text.length <= bytes ? line : `${line.slice(0, end)}…`
}

const ellipsis = 3

const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
