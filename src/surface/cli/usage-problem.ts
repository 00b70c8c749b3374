import { nearest } from '../../kernel/nearest.ts'
import { shellQuote } from '../../kernel/print/shell-quote.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import type { Command } from '../../operation/command-table.ts'
import { allCommands, allNames, allWords, commandAt, groups } from '../../operation/commands.ts'
import { commonFlags, type FoundCommand, parseArgs } from './args.ts'
import { serverCommands } from './servers.ts'

/** Returns what is wrong with words that are not a command. A call for help or an empty command line is fine. */
export const usageProblem = ({ path, stray, rest }: FoundCommand): Failure | undefined => {
  if (stray !== undefined) {
    const given = `${path} ${stray}`.trim()
    const after = rest.slice(rest.indexOf(stray) + 1)
    return fail('usage.command', { given, ...suggestion(given, after) })
  }
  if (rest.includes('--help') || rest.includes('-h')) return undefined
  const unknown = rest.filter((word) => word.startsWith('-') && !isCommonFlag(word))
  if (unknown.length > 0) {
    const problems = unknown.map((word) => ({
      path: word,
      message: `Unknown flag ${word}, and no command was given.`,
      fix: 'cleo help',
    }))
    return fail('usage.invalid', { command: 'help', problems })
  }
  if (path === '') return undefined
  const next = [...allNames().keys()].flatMap((name) =>
    name.startsWith(`${path} `) ? [name.slice(path.length + 1)] : [],
  )
  const problems = [{ path, message: `cleo ${path} needs a subcommand: ${next.join(', ')}.` }]
  return fail('usage.invalid', { command: path, problems })
}

interface Suggestion {
  near?: string
  fix?: string
}

/** The command that was probably meant, with the given arguments if they fit it. */
const suggestion = (given: string, after: readonly string[]): Suggestion => {
  if (parseTaskId(given)) return { near: 'show', fix: `cleo show ${parseTaskId(given)}` }
  const near = nearCommand(given)
  // A group such as `tasks`: the next word may be one of its commands.
  const inGroup = near && after[0] ? commandAt(`${near} ${after[0]}`) : undefined
  const command = inGroup ?? (near ? commandAt(near) : undefined)
  const args = inGroup ? after.slice(1) : after
  if (!near || !command || cannotBeUndone(command)) return { near: inGroup?.words ?? near }
  const fits = (args.length > 0 || command.kind === 'query') && parseArgs(args, command).problems.length === 0
  const words = ['cleo', command.words, ...args.map(shellQuote)].join(' ')
  return { near: command.words, ...(fits && { fix: words }) }
}

/** True for commands that cannot be undone. No message prints such a command ready to run. */
const cannotBeUndone = ({ words }: Command): boolean =>
  ['cancel', 'restore', 'import', 'untrust', 'db move', 'session end', 'focus clear'].includes(words)

/** Guesses the command: one suggested for this word, one with this last word (`append`), or one with a similar name. */
const nearCommand = (given: string): string | undefined => {
  const names = allNames()
  const ends = new Map<string, string>()
  for (const words of allWords()) {
    const end = words.slice(words.lastIndexOf(' ') + 1)
    if (!ends.has(end)) ends.set(end, words)
  }
  // Two letters make a short word a different one: `run` is not `rm`.
  const close = (known: Iterable<string>) =>
    nearest(given, given.length < 4 ? [...known].filter((word) => word.startsWith(given)) : known)
  const near = close([
    ...allWords(),
    ...groups(),
    ...names.keys(),
    ...serverCommands.map(({ name }) => name),
    'help',
  ])
  return (
    allCommands().find(({ suggestedFor }) => suggestedFor?.includes(given))?.words ??
    ends.get(given) ??
    (near && (names.get(near) ?? near)) ??
    ends.get(close(ends.keys()) ?? '')
  )
}

const isCommonFlag = (word: string): boolean => word.slice(2).split('=')[0]! in commonFlags
