import type { Host } from '../../host/host.ts'
import { harmless, harmlessData } from '../../kernel/harmless.ts'
import type { Ink } from '../../kernel/ink.ts'
import type { Failure, Result } from '../../kernel/result.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Common } from './args.ts'
import type { Terminal } from './cli.ts'
import { inkFor } from './ink.ts'
import { selected } from './select.ts'

interface Shown {
  common: Common
  host: Host
  terminal: Terminal
}

/** Prints an answer for a person: what was asked for on standard output, everything else on standard error. */
export const forPeople = (
  { common, host, terminal }: Shown,
  operation: Operation | undefined,
  result: Result<unknown>,
): void => {
  if (!result.ok) {
    // What a program said at its end has lines.
    const shown = { ...harmlessData(result), message: harmless(result.message, true) }
    return terminal.err(lines(failureLines(shown, inkFor(host.env, terminal))))
  }
  for (const warning of result.warnings ?? []) terminal.err(`warning: ${harmless(warning)}\n`)
  if (common.quiet) return
  if (common.field || common.fields) return terminal.out(harmless(selected(result.value, common), true))
  const titles = new Map([...(result.titles ?? [])].map(([id, title]) => [id, harmless(title)]))
  const ink = inkFor(host.env, terminal, titles)
  const data = harmlessData(result.value)
  const drawn = operation?.human?.(data, ink) ?? plain(data, ink)
  const { page } = result
  const more = page?.next ? [ink.dim(`${page.total} in all; the next page: --after ${page.next}`)] : []
  const dry = common['dry-run'] ? [ink.yellow('Dry run: nothing was changed.')] : []
  terminal.out(lines([...drawn, ...more, ...dry]))
}

const lines = (texts: string[]) => texts.map((text) => `${text}\n`).join('')

const failureLines = (failure: Failure, ink: Ink): string[] =>
  failure.held ? unfinishedLines(failure, failure.held, ink) : refusalLines(failure, ink)

/** What holds is told beside what does not: one sees how far it is. */
const unfinishedLines = (
  { message, problems = [] }: Failure,
  held: readonly string[],
  ink: Ink,
): string[] => {
  const width = Math.max(...problems.map(({ path }) => path.length))
  return [
    ink.red(message.slice(0, message.indexOf(':') + 1)),
    ...problems.flatMap(({ path, message: why, fix }) => [
      `  ${ink.red('✗')} ${path.padEnd(width)}  ${why}`,
      ...(fix ? [`${' '.repeat(width + 6)}${fix}`] : []),
    ]),
    ...(held.length > 0 ? [`  ${ink.green('✓')} ${held.join(', ')}`] : []),
  ]
}

const refusalLines = ({ message, problems, fix, alternatives }: Failure, ink: Ink): string[] => [
  ...message.split('\n').map((line, i) => (i === 0 ? ink.red(line) : `  ${ink.dim(line)}`)),
  ...(problems && problems.length > 1
    ? problems.flatMap((problem) => [
        `  ${ink.red('✗')} ${problem.path ? `${problem.path}: ` : ''}${problem.message}`,
        ...(problem.fix ? [`    fix: ${problem.fix}`] : []),
      ])
    : []),
  ...(fix ? [`  fix: ${fix}`] : []),
  ...(alternatives ?? []).map((alternative) => `  or: ${alternative}`),
]

/** For answers without a drawing of their own: names and values. */
const plain = (data: unknown, ink: Ink): string[] =>
  typeof data === 'object' && data !== null
    ? ink.table(
        Object.entries(data).map(([key, value]) => [
          ink.dim(key),
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
        1,
      )
    : [String(data)]
