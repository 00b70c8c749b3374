import { clientCommands } from '../../help/client-commands.ts'
import { nearest } from '../../kernel/nearest.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import {
  allNames,
  allWords,
  commandAt,
  commonFlags,
  type FoundCommand,
  findCommand,
  groups,
} from '../../operation/commands.ts'
import { helpTable } from '../../operation/generated/command-help.ts'
import { meantCommand } from './corrected-command.ts'
import { notesOn } from './near-flag.ts'
import { asPhrase, unrelated } from './phrases.ts'
import { answerFor, type WordAnswer } from './word-answers.ts'

/**
 * Returns the refusal for words that are not a command. Returns undefined if the words ask for help, or if there are no
 * words.
 */
export const usageProblem = ({ path, stray, rest }: FoundCommand): Failure | undefined => {
  if (stray !== undefined) {
    const given = `${path} ${stray}`.trim()
    const after = rest.slice(rest.indexOf(stray) + 1)
    const { alternatives = [], ...meant } = suggestion(given, after)
    return fail('usage.command', { given, ...meant, alternatives: [...alternatives, ...notesOn(meant.fix)] })
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
  const other = asPhrase([path])
  const list =
    other && !(`${path} list` in helpTable) ? commandAt(other.join(' ')) : commandAt(`${path} list`)
  const problems = [
    {
      path,
      message: `cleo ${path} needs a subcommand: ${next.join(', ')}.`,
      ...(list && { fix: `cleo ${list.words}` }),
    },
  ]
  return fail('usage.invalid', { command: path, problems })
}

const suggestion = (given: string, after: readonly string[]): WordAnswer => {
  const words = [...given.split(' '), ...after]
  const said = answerFor(words) ?? inOtherWords(words)
  if (said) return said
  if (parseTaskId(given)) return { near: 'show', fix: `cleo show ${parseTaskId(given)}` }
  if (unrelated.includes(given)) return {}
  const { words: near, flag, isEnd } = nearCommand(given) ?? {}
  // If `near` is a group such as `tasks`, the next word can be one of the group's commands.
  const inGroup = near && after[0] ? commandAt(`${near} ${after[0]}`) : undefined
  const command = inGroup ?? (near ? commandAt(near) : undefined)
  const args = inGroup ? after.slice(1) : flag ? withFlag(after, flag) : after
  if (!near || !command) return { near: inGroup?.words ?? near }
  // With `isEnd`, the word only resembles the last word of a longer command: `resum` resembles the end of `run resume`.
  // This is not certain enough to suggest a command that changes something.
  const isSafe = (args.length > 0 && !isEnd) || command.kind === 'query'
  const fix = isSafe ? meantCommand([...command.words.split(' '), ...args]) : undefined
  return { near: command.words, ...(fix && { fix }) }
}

/** Reads the words as the command line of another tool, or as an id before a command: `T012 done`. */
const inOtherWords = (words: readonly string[]): WordAnswer | undefined => {
  const id = parseTaskId(words[0]!)
  const meant = id && words.length > 1 ? [words[1]!, id, ...words.slice(2)] : asPhrase(words)
  if (!meant || meant.length === 0) return undefined
  const { command, path, stray } = findCommand(meant)
  if (stray === 'help' || (stray && stray in clientCommands)) return { near: stray, fix: `cleo ${stray}` }
  if (!command && stray !== undefined) {
    const { near, fix } = suggestion(`${path} ${stray}`.trim(), meant.slice(meant.indexOf(stray) + 1))
    return near || fix ? { ...(near && { near }), ...(fix && { fix }) } : undefined
  }
  if (!command) return { near: meant.join(' '), fix: `cleo ${meant.join(' ')}` }
  const fix = meantCommand(meant)
  return { near: command.words, ...(fix && { fix }) }
}

/** Puts a flag before the last word. After `rename`, for example, `T012 Form` becomes `T012 --title Form`. */
const withFlag = (after: readonly string[], flag: string): readonly string[] =>
  after.length > 1 && after.every((word) => !word.startsWith('-')) ? after.toSpliced(-1, 0, flag) : after

const nearCommand = (given: string): NearCommand | undefined => {
  for (const [words, { suggestedFor = [] }] of Object.entries(helpTable))
    for (const meant of suggestedFor) {
      const [word, flag] = meant.split(' --')
      if (word === given) return { words, ...(flag && { flag: `--${flag}` }) }
    }
  return similarCommand(given)
}

interface NearCommand {
  words: string
  flag?: string
  /** Set if the word only resembles the last word of a longer command. */
  isEnd?: true
}

/**
 * Returns the command whose last word is the given word: `manifest append` for `append`. If there is none, returns
 * a command with a similar name.
 */
const similarCommand = (given: string): NearCommand | undefined => {
  const names = allNames()
  const ends = new Map<string, string>()
  for (const words of allWords()) {
    const end = words.slice(words.lastIndexOf(' ') + 1)
    if (!ends.has(end)) ends.set(end, words)
  }
  // For a word of up to three letters, consider only names that begin with it. Among short words, similar spelling
  // means little: `run` is not `rm`.
  const close = (known: Iterable<string>) =>
    nearest(given, given.length < 4 ? [...known].filter((word) => word.startsWith(given)) : known)
  const near = close([...allWords(), ...groups(), ...names.keys(), ...Object.keys(clientCommands), 'help'])
  const words = ends.get(given) ?? (near && (names.get(near) ?? near))
  if (words) return { words }
  const end = ends.get(close(ends.keys()) ?? '')
  return end === undefined ? undefined : { words: end, isEnd: true }
}

const isCommonFlag = (word: string): boolean => word.slice(2).split('=')[0]! in commonFlags
