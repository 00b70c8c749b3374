import type { Host } from '../../host/host.ts'
import { printable, printableData } from '../../kernel/print/printable.ts'
import type { Failure, Result, RuleResult } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import type { Operation } from '../../operation/operation.ts'
import type { CommonOptions } from './args.ts'
import { selected } from './select.ts'
import { styleFor, type Terminal } from './terminal.ts'

interface Invocation {
  common: CommonOptions
  host: Host
  terminal: Terminal
}

/** Prints an answer for people: data on standard output, warnings and refusals on standard error. */
export const printHuman = (
  { common, host, terminal }: Invocation,
  operation: Operation | undefined,
  result: Result<unknown>,
): void => {
  for (const warning of result.warnings ?? []) terminal.err(`warning: ${printable(warning)}\n`)
  if (!result.ok) {
    // Keeps line breaks: the message may contain the output of a failed program.
    const problems = result.held
      ? {
          problems: result.problems?.map((each) => ({
            ...printableData(each),
            message: printable(each.message, true),
          })),
        }
      : {}
    const shown = { ...printableData(result), message: printable(result.message, true), ...problems }
    const { isErrorTerminal: isTerminal, width } = terminal
    return terminal.err(lines(failureLines(shown, styleFor(host.env, { isTerminal, width }))))
  }
  if (common.field || common.fields) {
    const value = selected(result.value, common)
    // A program gets the value unchanged. For people, characters that act on a terminal are escaped.
    const forPeople = terminal.isTerminal || common.human || common.format === 'human'
    return terminal.out(forPeople ? printable(value, true) : value)
  }
  if (common.quiet) return
  const titles = result.titles && new Map([...result.titles].map(([id, title]) => [id, printable(title)]))
  const style = styleFor(host.env, terminal, titles)
  const data = printableData(result.value)
  const drawn = operation?.human?.(data, style) ?? plain(data, style)
  const { page } = result
  let text = lines(drawn)
  if (page?.next)
    text += `${style.dim(`${page.total}${page.atLeast ? ' or more' : ''} in total; next page: --after ${page.next}`)}\n`
  if (common['dry-run']) text += `${style.yellow('Dry run: nothing was changed.')}\n`
  terminal.out(text)
}

const lines = (texts: readonly string[]): string => {
  let all = ''
  for (const text of texts) all += `${text}\n`
  return all
}

const failureLines = (failure: Failure, style: Style): string[] =>
  failure.held || failure.rules
    ? unfinishedLines(failure, failure.held ?? [], style)
    : refusalLines(failure, style)

/** Lists the requirements that are met as well as the missing ones, so that people see the progress. */
const unfinishedLines = (
  { message, problems = [], moreProblems, rules = [], fix, alternatives = [] }: Failure,
  held: readonly string[],
  style: Style,
): string[] => {
  const width = Math.max(...problems.map(({ path }) => path.length))
  return [
    style.red(message.slice(0, message.indexOf(':') + 1) || message),
    ...problems.flatMap(({ path, message: why, fix }) => [
      ...why
        .split('\n')
        .map((line, i) =>
          i === 0
            ? `  ${style.red('✗')} ${path.padEnd(width)}  ${line}`
            : `${' '.repeat(width + 6)}${style.dim(quoted(line))}`,
        ),
      ...(fix ? [`${' '.repeat(width + 6)}${fix}`] : []),
    ]),
    ...moreLines(moreProblems),
    ...rules
      .filter(({ result }) => result !== 'fail')
      .map((rule) => `  ${ruleMark(rule, style)} ${rule.id.padEnd(width)}  ${rule.fact}`),
    ...(held.length > 0 ? [`  ${style.green('✓')} ${held.join(', ')}`] : []),
    // Most refusals of unfinished work have a fix beside each problem, and the first of them is that of the refusal.
    ...(fix && problems.every((each) => each.fix === undefined) ? [`  fix: ${fix}`] : []),
    ...alternatives.map((text) => `  or: ${text}`),
  ]
}

/** Marks a line of a message that looks like one of CLEO's own: a file name or the output of a program may contain it. */
const quoted = (line: string): string =>
  /^\s*(?:fix|or|try|then|next|answer|warning):/.test(line) ? `│ ${line}` : line

const ruleMark = ({ result }: RuleResult, style: Style): string =>
  result === 'pass' ? style.green('✓') : result === 'warning' ? style.yellow('!') : style.dim('–')

const moreLines = (more: number | undefined): string[] => (more ? [`  and ${more} more`] : [])

const refusalLines = (
  { message, problems, moreProblems, fix, alternatives }: Failure,
  style: Style,
): string[] => [
  ...message.split('\n').map((line, i) => (i === 0 ? style.red(line) : `  ${style.dim(quoted(line))}`)),
  ...(problems && problems.length > 1
    ? problems.flatMap((problem) => [
        `  ${style.red('✗')} ${problem.path ? `${problem.path}: ` : ''}${problem.message}`,
        ...(problem.fix ? [`    fix: ${problem.fix}`] : []),
      ])
    : []),
  ...moreLines(moreProblems),
  ...(fix ? [`  fix: ${fix}`] : []),
  ...(alternatives ?? []).map((text, i) => `  ${fix || i > 0 ? 'or' : 'try'}: ${text}`),
]

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
