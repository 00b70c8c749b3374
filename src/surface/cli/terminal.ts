import type { Style } from '../../kernel/style.ts'

/** The streams the command line writes to, and what it knows about the terminal. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  isTerminal: boolean
  width: number
  /** Whole milliseconds since the process started. */
  elapsed(): number
}

/** Styles text for a terminal: in colour unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR overrides both. */
export const styleFor = (
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, width }: Pick<Terminal, 'isTerminal' | 'width'>,
  titles: ReadonlyMap<string, string> = new Map(),
): Style => {
  const wanted = env['NO_COLOR']
    ? false
    : env['FORCE_COLOR']
      ? env['FORCE_COLOR'] !== '0'
      : isTerminal && env['TERM'] !== 'dumb'
  const paint = (code: number, end: number) => (text: string) =>
    wanted && text ? `\u001b[${code}m${text}\u001b[${end}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    title: (id) => titles.get(id) ?? '',
    table: (rows, flexible) => columns(rows, width, flexible),
  }
}

/** Aligns cells in columns. On a narrow terminal, the text of the flexible column is cut. */
const columns = (rows: string[][], width: number, flexible: number): string[] => {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))
  }
  const total = widths.reduce((sum, w) => sum + w, 0) + 2 * (widths.length - 1)
  if (total > width) widths[flexible] = Math.max(12, (widths[flexible] ?? 0) - (total - width))
  return rows.map((row) =>
    row
      .map((cell, i) => fitted(cell, widths[i]!, i === row.length - 1))
      .join('  ')
      .trimEnd(),
  )
}

const fitted = (cell: string, width: number, last: boolean): string => {
  const own = widthOf(cell)
  if (own > width) return cut(cell, width)
  return last ? cell : cell + ' '.repeat(width - own)
}

const colour = /\u001b\[\d+m/g
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** How many terminal columns a text takes. */
const widthOf = (text: string): number => {
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
