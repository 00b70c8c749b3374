import type { Host } from '../../host/host.ts'
import type { Ok, Result } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import type { Operation } from '../../operation/operation.ts'
import { printable, printableData } from '../../print/printable.ts'
import { isAsciiOnly, styleFor, type Terminal } from '../../terminal/terminal.ts'
import type { CommonOptions } from './args.ts'

interface Invocation {
  common: CommonOptions
  host: Host
  terminal: Terminal
}

/** Data goes to standard output; warnings and refusals go to standard error. */
export const printHuman = async (
  { common, host, terminal }: Invocation,
  operation: Operation | undefined,
  result: Result<unknown>,
): Promise<void> => {
  const { width } = terminal
  const errorWidth = () => (terminal.isErrorTerminal ? width : undefined)
  const errorStyle = () => styleFor(host.env, { isTerminal: terminal.isErrorTerminal, width })
  if (result.warnings?.length) {
    const title = errorStyle().yellow('warning:')
    const lines = result.warnings.map((warning) => `${title} ${printable(warning)}`)
    terminal.err(await printed(lines, host, errorWidth()))
  }
  if (!result.ok) {
    const { failureLines, printableFailure } = await loadRefusals()
    const lines = failureLines(printableFailure(result), errorStyle())
    return terminal.err(await printed(lines, host, errorWidth()))
  }
  if (common.field || common.fields) {
    const { selected } = await import('./select.ts')
    const value = selected(result.value, common)
    // A program gets the value unchanged. For people, characters that act on a terminal are escaped.
    const isForPeople = terminal.isTerminal || common.human || common.format === 'human'
    return terminal.out(isForPeople ? printable(value, true) : value)
  }
  if (common.quiet) return
  const style = styleFor(host.env, terminal, forPeople(result))
  const lines = drawnLines(operation, result, style)
  const more = pageLines(result, style)
  if (terminal.isTerminal) lines.push(...more)
  if (common['dry-run']) lines.push(style.yellow('Dry run: nothing was changed.'))
  terminal.out(await printed(lines, host, terminal.isTerminal ? width : undefined))
  // In a pipe, standard output gets only the rows, so the line about the next page goes to standard error.
  if (!terminal.isTerminal && more.length > 0) terminal.err(await printed(more, host, errorWidth()))
}

/** The lines are not wrapped. */
export const drawnLines = (operation: Operation | undefined, result: Ok<unknown>, style: Style): string[] => {
  const data = printableData(result.value)
  const several = operation?.several ? (data as { tasks?: unknown[] }).tasks : undefined
  const draw = (each: unknown) => operation?.human?.(each, style) ?? plain(each, style)
  return [...(several ? several.flatMap(draw) : draw(data))]
}

const pageLines = ({ page }: Ok<unknown>, style: Style): string[] =>
  page?.next
    ? [style.dim(`${page.total}${page.atLeast ? ' or more' : ''} in total; next page: --after ${page.next}`)]
    : []

/** The parts of a result that only people see. */
export const forPeople = ({ titles, notes }: Ok<unknown>): Pick<Ok<unknown>, 'titles' | 'notes'> => ({
  ...(titles && { titles: printableValues(titles) }),
  ...(notes && { notes }),
})

const printableValues = (texts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...texts].map(([id, text]) => [id, printable(text)]))

/**
 * Joins lines for a terminal of this width, or for a pipe. The code that wraps lines and the code that replaces
 * symbols with ASCII are imported on demand, because most output needs neither.
 */
export const printed = (
  lines: readonly string[],
  { env }: Pick<Host, 'env'>,
  width: number | undefined,
): string | Promise<string> => {
  const isAscii = isAsciiOnly(env)
  return width === undefined && !isAscii ? joined(lines) : fitted(lines, width, isAscii)
}

const joined = (lines: readonly string[]): string => {
  let text = ''
  for (const line of lines) text += `${line}\n`
  return text
}

const fitted = async (
  lines: readonly string[],
  width: number | undefined,
  isAscii: boolean,
): Promise<string> => {
  const wrapped =
    width === undefined ? lines : (await import('../../terminal/wrap-lines.ts')).wrapLines(lines, width)
  const text = joined(wrapped)
  return isAscii ? (await import('../../terminal/ascii-marks.ts')).asciiMarks(text) : text
}

/** Imported on demand, because most commands are not refused. */
export const loadRefusals = () => import('./failure-lines.ts')

/** For operations that define no human output. */
const plain = (data: unknown, style: Style): string[] =>
  typeof data === 'object' && data !== null
    ? style.table(
        Object.entries(data).map(([key, value]) => [
          style.dim(key),
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
        1,
      )
    : [String(data)]
