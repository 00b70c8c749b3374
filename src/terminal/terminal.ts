import type { Ok } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { cut, isNarrowText, widthOf, wrapWords } from './text-width.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
  flush?(): Promise<void>
  isTerminal: boolean
  isErrorTerminal: boolean
  /** The columns of the terminal; undefined in a pipe, where no text is cut. */
  width: number | undefined
  /** Whole milliseconds since the process started. */
  elapsed(): number
}

type ForPeople = Pick<Ok<unknown>, 'titles' | 'notes'>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * By default, text has colours at a terminal, except with `TERM=dumb`. NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR
 * override the default.
 */
export const styleFor = (
  env: Environment,
  { isTerminal, width }: Pick<Terminal, 'isTerminal' | 'width'>,
  { titles, notes }: ForPeople = {},
): Style => {
  const coloured = wantsColour(env, isTerminal)
  const paint = (code: number, end: number) =>
    coloured ? (text: string) => (text ? `\u001b[${code}m${text}\u001b[${end}m` : text) : unpainted
  const known = isTerminal ? width : undefined
  return {
    width: known,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    title: (id) => titles?.get(id) ?? '',
    table: (rows, flexible, unneeded) => columns(rows, width, flexible, unneeded),
    note: (id) => notes?.get(id) ?? '',
    cut: (text, own) => (widthOf(text) > own ? cut(text, own) : text),
    wrap: wrapWords,
    fit: (text, own) => fitted(text, own, false),
  }
}

const unpainted = (text: string): string => text

const wantsColour = (env: Environment, isTerminal: boolean): boolean => {
  if (env['NO_COLOR']) return false
  if (env['CLICOLOR_FORCE'] && env['CLICOLOR_FORCE'] !== '0') return true
  const forced = env['FORCE_COLOR']
  return forced ? forced !== '0' : isTerminal && env['TERM'] !== 'dumb'
}

/** Whether the user's locale is set and is not UTF-8, such as `LANG=C`. Without a locale, UTF-8 is assumed. */
export const isAsciiOnly = (env: Environment): boolean => {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  if (!locale) return false
  const name = locale.toLowerCase()
  return !name.includes('utf-8') && !name.includes('utf8')
}

/** If the flexible column would get less room than this, other columns are left out. */
const comfortable = 24
/** With less room than this, the text of the flexible column is put below the row. */
const narrowest = 15

/**
 * Aligns cells in columns. On a narrow terminal, leaves out the columns in `unneeded`, one after another. If that is
 * not enough, cuts the text of the flexible column. But if `unneeded` is missing and fewer than `narrowest` characters
 * would be left, puts the whole text on a line below the row.
 */
const columns = (
  rows: string[][],
  width: number | undefined,
  flexible: number,
  unneeded?: readonly number[],
): string[] => {
  const widths: number[] = []
  const isSimple = rows.length > fewRows && isAllNarrow(rows)
  const own: number[][] = []
  for (const row of rows) {
    const cells: number[] = []
    for (let i = 0; i < row.length; i++) {
      const cell = isSimple ? row[i]!.length : widthOf(row[i]!)
      if (cell > (widths[i] ?? -1)) widths[i] = cell
      cells.push(cell)
    }
    own.push(cells)
  }
  const { isLeftOut, isBelow } =
    width === undefined ? asWideAsNeeded : fitColumns(widths, width, flexible, unneeded)
  const lines: string[] = []
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n]!
    let line = ''
    for (let i = 0; i < row.length; i++) {
      if (isLeftOut[i] || widths[i] === 0) continue
      line += (line === '' ? '' : '  ') + fitted(row[i]!, widths[i]!, i === row.length - 1, own[n]![i])
    }
    lines.push(line.trimEnd())
    if (isBelow && row[flexible]) lines.push(`    ${row[flexible]}`)
  }
  return lines
}

interface Fit {
  isLeftOut: readonly boolean[]
  /** True if the text of the flexible column is put below the row. */
  isBelow: boolean
}

const asWideAsNeeded: Fit = { isLeftOut: [], isBelow: false }

/**
 * Makes columns narrower until they fit on a terminal. Output to a pipe skips this function to save time: the
 * first call of a function that mentions `Math` makes the engine create all 35 functions of `Math`.
 */
const fitColumns = (
  widths: number[],
  width: number,
  flexible: number,
  unneeded: readonly number[] | undefined,
): Fit => {
  const isLeftOut: boolean[] = []
  let isBelow = false
  let excess = -2 - width
  for (const own of widths) excess += own + (own > 0 ? 2 : 0)
  const wanted = Math.min(widths[flexible] ?? 0, comfortable)
  for (const i of unneeded ?? []) {
    if ((widths[flexible] ?? 0) - excess >= wanted) break
    if (!widths[i]) continue
    isLeftOut[i] = true
    excess -= widths[i] + 2
  }
  if (excess > 0) {
    const room = (widths[flexible] ?? 0) - excess
    isBelow = !unneeded && flexible > 0 && room < narrowest
    isLeftOut[flexible] = isBelow
    widths[flexible] = Math.max(8, room)
  }
  return { isLeftOut, isBelow }
}

/** Up to this many rows, measuring each cell by itself is faster than compiling the pattern of `isAllNarrow`. */
const fewRows = 6

const isAllNarrow = (rows: readonly string[][]): boolean => {
  let text = ''
  for (const row of rows) text += row.join('')
  return isNarrowText(text)
}

const fitted = (cell: string, width: number, last: boolean, own = widthOf(cell)): string => {
  if (own > width) return cut(cell, width)
  return last ? cell : cell + ' '.repeat(width - own)
}
