import type { Failure, RuleResult } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { printable, printableData } from '../../print/printable.ts'

/**
 * Escapes characters that act on a terminal. Keeps line breaks in messages, because a message can contain the
 * output of a failed program.
 */
export const printableFailure = (failure: Failure): Failure => ({
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
 * Returns the lines of a refusal, in this order:
 * - the message
 * - the problems, each with its own fix (a single problem is usually left out, because the message already names it)
 * - the requirements that are met
 * - the fix of the refusal
 * - the alternatives
 */
export const failureLines = (failure: Failure, style: Style): string[] => {
  const { message, problems = [], moreProblems, rules = [], held = [], fix, alternatives = [] } = failure
  const isUnfinished = failure.held !== undefined || failure.rules !== undefined
  const shown = isUnfinished || problems.length > 1 ? problems : []
  const names = shown.map(({ path, message }) => (saysItself(path, message) ? '' : path))
  const longest = Math.max(0, ...names.map((name) => name.length))
  const column = style.width !== undefined && longest > style.width / 3 ? 0 : longest
  const gap = (name: string) => (name ? `${name.padEnd(column)}  ` : '')
  const isFixed = (command: string) => shown.some((each) => each.fix === command)
  // If requirements are listed below, print the message only up to its colon. The rest of it repeats the problems in
  // the list.
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

/** Whether a message already names the flag or field of its problem. */
const saysItself = (path: string, message: string): boolean =>
  message.startsWith(path) || (path.startsWith('-') && message.includes(path))

/**
 * Puts `│` before a line of a message if the line looks like one of CLEO's own, such as `fix:`. The line can come from
 * a file name or from the output of a program.
 */
const quoted = (line: string): string =>
  /^\s*(?:fix|or|try|then|next|answer|warning):/.test(line) ? `│ ${line}` : line

const ruleMark = ({ result }: RuleResult, style: Style): string =>
  result === 'pass' ? style.green('✓') : result === 'warning' ? style.yellow('!') : style.dim('–')
