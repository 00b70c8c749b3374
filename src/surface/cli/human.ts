import type { Host } from '../../host/host.ts'
import type { Failure, Ok, Result, RuleResult } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import type { Operation } from '../../operation/operation.ts'
import { printable, printableData } from '../../print/printable.ts'
import { isAsciiOnly, styleFor, type Terminal } from '../../terminal/terminal.ts'
import type { CommonOptions } from './args.ts'
import { selected } from './select.ts'

interface Invocation {
  common: CommonOptions
  host: Host
  terminal: Terminal
}

/** Prints an answer for people: data on standard output, warnings and refusals on standard error. */
export const printHuman = async (
  { common, host, terminal }: Invocation,
  operation: Operation | undefined,
  result: Result<unknown>,
): Promise<void> => {
  const { isErrorTerminal: isTerminal, width } = terminal
  const errorWidth = isTerminal ? width : undefined
  const warnings = result.warnings ?? []
  if (warnings.length > 0)
    terminal.err(
      await printed(
        warnings.map((warning) => `warning: ${printable(warning)}`),
        host,
        errorWidth,
      ),
    )
  if (!result.ok) {
    const lines = failureLines(printableFailure(result), styleFor(host.env, { isTerminal, width }))
    return terminal.err(await printed(lines, host, errorWidth))
  }
  if (common.field || common.fields) {
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
  // In a pipe, standard output has only the rows.
  if (!terminal.isTerminal && more.length > 0) terminal.err(await printed(more, host, errorWidth))
}

/** The lines of an answer, not wrapped. */
export const drawnLines = (operation: Operation | undefined, result: Ok<unknown>, style: Style): string[] => {
  const data = printableData(result.value)
  const several = operation?.several ? (data as { tasks?: unknown[] }).tasks : undefined
  const draw = (each: unknown) => operation?.human?.(each, style) ?? plain(each, style)
  return [...(several ? several.flatMap(draw) : draw(data))]
}

/** Says how to get the next page, if there is one. */
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
 * Joins lines for a terminal of this width, or for a pipe. The files that wrap and replace marks are loaded only when
 * needed, because most output is for a pipe.
 */
export const printed = async (
  lines: readonly string[],
  { env }: Pick<Host, 'env'>,
  width: number | undefined,
): Promise<string> => {
  const wrapped =
    width === undefined ? lines : (await import('../../terminal/wrap-lines.ts')).wrapLines(lines, width)
  let text = ''
  for (const line of wrapped) text += `${line}\n`
  return isAsciiOnly(env) ? (await import('../../terminal/ascii-marks.ts')).asciiMarks(text) : text
}

/** Keeps line breaks: a message may contain the output of a failed program. */
const printableFailure = (failure: Failure): Failure => ({
  ...printableData(failure),
  message: printable(failure.message, true),
  ...(failure.held && {
    problems: failure.problems?.map((each) => ({
      ...printableData(each),
      message: printable(each.message, true),
    })),
  }),
})

/**
 * Draws every refusal: what happened, each problem with its fix, the requirements that are met, the fix and the
 * alternatives. A single problem is the message itself.
 */
export const failureLines = (failure: Failure, style: Style): string[] => {
  const { message, problems = [], moreProblems, rules = [], held = [], fix, alternatives = [] } = failure
  const isUnfinished = failure.held !== undefined || failure.rules !== undefined
  const shown = isUnfinished || problems.length > 1 ? problems : []
  const names = shown.map(({ path, message }) => (saysItself(path, message) ? '' : path))
  const isNarrow = style.width !== undefined && style.width < narrow
  const column = isNarrow ? 0 : Math.max(0, ...names.map((name) => name.length))
  const gap = (name: string) => (name ? `${name.padEnd(column)}  ` : '')
  const isFixed = (command: string) => shown.some((each) => each.fix === command)
  // Print only the first part of this message: the rest repeats the problems that are listed below it.
  const [first = '', ...more] = (
    isUnfinished ? message.slice(0, message.indexOf(':') + 1) || message : message
  ).split('\n')
  return [
    style.red(first),
    ...more.map((line) => `  ${style.dim(quoted(line))}`),
    ...shown.flatMap(({ message, fix }, i) => {
      const [what = '', ...output] = message.split('\n')
      return [
        `  ${style.red('✗')} ${gap(names[i]!)}${what}`,
        ...output.map((line) => `    ${style.dim(quoted(line))}`),
        ...(fix ? [`    fix: ${fix}`] : []),
      ]
    }),
    ...(moreProblems ? [`  and ${moreProblems} more`] : []),
    ...rules
      .filter(({ result }) => result !== 'fail')
      .map((rule) => `  ${ruleMark(rule, style)} ${gap(rule.id)}${rule.fact}`),
    ...(held.length > 0 ? [`  ${style.green('✓')} ${held.join(', ')}`] : []),
    ...(fix && !isFixed(fix) ? [`  fix: ${fix}`] : []),
    ...alternatives.map((text, i) => `  ${fix || i > 0 || isUnfinished ? 'or' : 'try'}: ${text}`),
  ]
}

/** Whether a message names the flag or field that it is about. */
const saysItself = (path: string, message: string): boolean =>
  message.startsWith(path) || (path.startsWith('-') && message.includes(path))

/** Below this width, problems are not put into columns. */
const narrow = 60

/** Marks a line of a message that looks like one of CLEO's own: a file name or the output of a program may contain it. */
const quoted = (line: string): string =>
  /^\s*(?:fix|or|try|then|next|answer|warning):/.test(line) ? `│ ${line}` : line

const ruleMark = ({ result }: RuleResult, style: Style): string =>
  result === 'pass' ? style.green('✓') : result === 'warning' ? style.yellow('!') : style.dim('–')

/** Prints names and values, for operations that define no human output. */
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
