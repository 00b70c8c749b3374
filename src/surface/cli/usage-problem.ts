import { clientCommands } from '../../help/client-commands.ts'
import { nearest } from '../../kernel/nearest.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import type { Command } from '../../operation/command-table.ts'
import {
  allCommands,
  allNames,
  allWords,
  commandAt,
  commonFlags,
  type FoundCommand,
  groups,
} from '../../operation/commands.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { parseArgs } from './args.ts'

/** Returns what is wrong with words that are not a command; undefined for a call for help or an empty command line. */
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

/** Returns the command that was probably meant, with the given arguments if they fit. */
const suggestion = (given: string, after: readonly string[]): Suggestion => {
  if (parseTaskId(given)) return { near: 'show', fix: `cleo show ${parseTaskId(given)}` }
  const { words: near, flag } = nearCommand(given) ?? {}
  // A group such as `tasks`: the next word may be one of its commands.
  const inGroup = near && after[0] ? commandAt(`${near} ${after[0]}`) : undefined
  const command = inGroup ?? (near ? commandAt(near) : undefined)
  const args = inGroup ? after.slice(1) : flag ? withFlag(after, flag) : after
  if (!near || !command || cannotBeUndone(command)) return { near: inGroup?.words ?? near }
  const fits = (args.length > 0 || command.kind === 'query') && parseArgs(args, command).problems.length === 0
  const words = ['cleo', command.words, ...args.map(shellQuote)].join(' ')
  return { near: command.words, ...(fits && { fix: words }) }
}

/** Puts a flag before the last of two words: for `rename T012 Form`, `T012 --title Form`. */
const withFlag = (after: readonly string[], flag: string): readonly string[] =>
  after.length > 1 && after.every((word) => !word.startsWith('-')) ? after.toSpliced(-1, 0, flag) : after

/** True for commands that cannot be undone. Messages do not print such a command ready to run. */
const cannotBeUndone = ({ words }: Command): boolean =>
  ['cancel', 'restore', 'import', 'untrust', 'db move', 'session end', 'focus clear'].includes(words)

/** Guesses the command: by meaning, else by its spelling. */
const nearCommand = (given: string): { words: string; flag?: string } | undefined => {
  for (const { words, suggestedFor = [] } of allCommands())
    for (const meant of suggestedFor) {
      const [word, flag] = meant.split(' --')
      if (word === given) return { words, ...(flag && { flag: `--${flag}` }) }
    }
  const words = similarCommand(given)
  return words === undefined ? undefined : { words }
}

/** Returns the command with this last word (`append`), else one with a similar name. */
const similarCommand = (given: string): string | undefined => {
  const names = allNames()
  const ends = new Map<string, string>()
  for (const words of allWords()) {
    const end = words.slice(words.lastIndexOf(' ') + 1)
    if (!ends.has(end)) ends.set(end, words)
  }
  // In a short word, two different letters make another word: `run` is not `rm`.
  const close = (known: Iterable<string>) =>
    nearest(given, given.length < 4 ? [...known].filter((word) => word.startsWith(given)) : known)
  const near = close([...allWords(), ...groups(), ...names.keys(), ...Object.keys(clientCommands), 'help'])
  return ends.get(given) ?? (near && (names.get(near) ?? near)) ?? ends.get(close(ends.keys()) ?? '')
}

const isCommonFlag = (word: string): boolean => word.slice(2).split('=')[0]! in commonFlags
