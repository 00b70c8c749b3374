import type { Style } from '../../kernel/style.ts'

/** The streams the command line writes to, and what it knows about the terminal. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Waits until everything is written. */
  flush?(): Promise<void>
  isTerminal: boolean
  isErrorTerminal: boolean
  /** The columns of the terminal; undefined in a pipe, where no text is cut. */
  width: number | undefined
  /** Whole milliseconds since the process started. */
  elapsed(): number
}

/** Styles text: in colour at a terminal that is not dumb; NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR override that. */
export const styleFor = (
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, width }: Pick<Terminal, 'isTerminal' | 'width'>,
  titles?: ReadonlyMap<string, string>,
): Style => {
  const coloured = wantsColour(env, isTerminal)
  const paint = (code: number, end: number) =>
    coloured ? (text: string) => (text ? `\u001b[${code}m${text}\u001b[${end}m` : text) : unpainted
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    title: (id) => titles?.get(id) ?? '',
    table: (rows, flexible) => columns(rows, width, flexible),
    inFull: (text, indent) => readInFull(text, indent, width),
  }
}

const unpainted = (text: string): string => text

const wantsColour = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  if (env['NO_COLOR']) return false
  if (env['CLICOLOR_FORCE'] && env['CLICOLOR_FORCE'] !== '0') return true
  const forced = env['FORCE_COLOR']
  return forced ? forced !== '0' : isTerminal && env['TERM'] !== 'dumb'
}

/** Aligns cells in columns. On a narrow terminal, the text of the flexible column is cut. */
const columns = (rows: string[][], width: number | undefined, flexible: number): string[] => {
  const widths: number[] = []
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) {
      const own = widthOf(row[i]!)
      if (own > (widths[i] ?? -1)) widths[i] = own
    }
  }
  if (width !== undefined) {
    let total = -2
    for (const own of widths) total += own + 2
    if (total > width) widths[flexible] = Math.max(12, (widths[flexible] ?? 0) - (total - width))
  }
  const lines: string[] = []
  for (const row of rows) {
    let line = ''
    for (let i = 0; i < row.length; i++)
      line += (i > 0 ? '  ' : '') + fitted(row[i]!, widths[i]!, i === row.length - 1)
    lines.push(line.trimEnd())
  }
  return lines
}

const fitted = (cell: string, width: number, last: boolean): string => {
  const own = widthOf(cell)
  if (own > width) return cut(cell, width)
  return last ? cell : cell + ' '.repeat(width - own)
}

/** How many terminal columns a text takes. */
const widthOf = (text: string): number => {
  for (let i = 0; i < text.length; i++) if (!isNarrow(text.charCodeAt(i))) return measured(text)
  return text.length
}

/** Whether a character surely takes one column. Saves ordinary text the patterns below, which take long to compile. */
const isNarrow = (code: number): boolean =>
  (code >= 0x20 && code < 0x300) || (code >= 0x2190 && code < 0x2e80)

const measured = (text: string): number => {
  const colour = /\u001b\[\d+m/g
  const wide =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
  let width = 0
  for (const char of text.replaceAll(colour, '')) width += /\p{M}/u.test(char) ? 0 : wide.test(char) ? 2 : 1
  return width
}

const cut = (text: string, width: number): string => {
  let used = 0
  let out = ''
  for (const char of text) {
    used += widthOf(char)
    if (used > width - 1) break
    out += char
  }
  return `${out}…`.padEnd(width)
}

/**
 * Returns the lines of a printable text that a person has to read before a decision: nothing is cut, long lines are
 * wrapped, and several blanks in a row, which could push something out of sight, appear as their number.
 */
export const readInFull = (text: string, indent: string, width = Number.POSITIVE_INFINITY): string[] => {
  const most = Math.max(20, width - indent.length)
  const lines: string[] = []
  let rest = text.replaceAll(/\p{Zs}{2,}/gu, (blanks) => `⟨${blanks.length} spaces⟩`)
  while (rest.length > most) {
    const blank = rest.lastIndexOf(' ', most - 1)
    const end = blank > most / 2 ? blank + 1 : most
    lines.push(indent + rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...lines, indent + rest]
}
