import { printable } from './printable.ts'

/**
 * The beginning of somebody's words in one harmless line. Cut by bytes: a token has one at least, so that no text, in
 * whatever script, costs more than this many.
 */
export const brief = (text: string, bytes: number): string => {
  // No character comes out shorter than it was: what lies beyond is not needed, however long it is.
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
