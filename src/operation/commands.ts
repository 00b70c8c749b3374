import type { Command, Flag } from './command-table.ts'
import { otherNames, places, prefixes, table } from './generated/commands.ts'

export const commandAt = (words: string): Command | undefined => {
  return commandWith(words) ?? commandWith(wordsOf(words))
}

const commandWith = (words: string): Command | undefined => {
  const at = places.indexOf(`\n${words}\t`)
  if (at < 0) return undefined
  const start = Number(places.slice(at + words.length + 2, places.indexOf('\n', at + 1)))
  return { words, ...(JSON.parse(table.slice(start, table.indexOf('\n', start))) as Omit<Command, 'words'>) }
}

const wordsOf = (name: string): string => {
  const at = otherNames.indexOf(`\n${name}\t`)
  if (at < 0) return ''
  const start = at + name.length + 2
  return otherNames.slice(start, otherNames.indexOf('\n', start))
}

const isPrefix = (words: string): boolean => prefixes.includes(`\n${words}\n`)

export const allCommands = (): Command[] => allWords().map((words) => commandWith(words)!)

const lines = (text: string): string[] => text.trim().split('\n')

export const allWords = (): string[] => lines(places).map((line) => line.slice(0, line.indexOf('\t')))

/** The words of a command are also one of its names. */
export const allNames = (): Map<string, string> => {
  const names = new Map(allWords().map((words) => [words, words]))
  for (const line of otherNames.split('\n')) {
    const [name, words] = line.split('\t')
    if (name && words) names.set(name, words)
  }
  return names
}

/** Returns the words that begin commands but are not commands themselves, such as `session`. */
export const groups = (): readonly string[] => lines(prefixes)

/** `true` means that the flag takes a value. */
export const commonFlags = {
  json: false,
  human: false,
  format: true,
  raw: false,
  quiet: false,
  field: true,
  fields: true,
  project: true,
  session: true,
  as: true,
  'dry-run': false,
  verbose: false,
  help: false,
} as const
export type CommonFlag = keyof typeof commonFlags
export const isCommonFlag = (flag: string): flag is CommonFlag => Object.hasOwn(commonFlags, flag)

export interface FoundCommand {
  command?: Command
  /** The known words at the start of the arguments, even if they are only the beginning of a command. */
  path: string
  /** The first unknown word. */
  stray?: string
  rest: string[]
}

/** Common flags can stand anywhere, even before the command. */
export const findCommand = (argv: readonly string[]): FoundCommand => {
  const found: FoundCommand = { path: '', rest: [] }
  let searching = true
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!
    if (searching && !word.startsWith('-')) {
      const path = found.path ? `${found.path} ${word}` : word
      const command = commandAt(path)
      if (command || isPrefix(path)) {
        // If the words are another name of a command, continue with the command's own words, so that `orchestrate
        // spawn` has the subcommands of `spawn`. But keep `config`, which is short for `config list`, because it has
        // subcommands of its own.
        found.path = command && !command.words.startsWith(`${path} `) ? command.words : path
        found.command = command ?? found.command
        continue
      }
      searching = false
      if (isAlone(found)) delete found.command
      if (!found.command) found.stray = word
    }
    found.rest.push(word)
    const flag = word === '-C' ? 'project' : word.startsWith('--') && !word.includes('=') ? word.slice(2) : ''
    if (commonFlags[flag as CommonFlag] && i + 1 < argv.length) found.rest.push(argv[++i]!)
    else if (found.command && (flag ? !isCommonFlag(flag) : isShort(word))) searching = false
  }
  if (isAlone(found) && (found.rest.includes('--help') || found.rest.includes('-h'))) delete found.command
  return found.command ? inForm(found, found.command) : found
}

/** Whether a word is a short flag of a command, such as `-n`. The word after a short flag may be its value. */
const isShort = (word: string): boolean => word[0] === '-' && word.length > 1 && !'-hqv'.includes(word[1]!)

/** Whether the words are short for a longer command, as `config` is for `config list`. */
const isAlone = ({ path, command }: FoundCommand): boolean => command?.words.startsWith(`${path} `) === true

/**
 * If a flag selects another form of the command, such as `verify --gate`, chooses this form. If this form has no
 * flag of that name, removes the flag from the arguments.
 */
const inForm = (found: FoundCommand, command: Command): FoundCommand => {
  const forms: { flag: string; form: Command }[] = []
  for (const word of found.rest) {
    if (word === '--') break
    const flag = word.startsWith('--') ? splitAtEquals(word)[0] : ''
    const form = flag && commandAt(`${command.words} ${flag}`)
    if (form) forms.push({ flag, form })
  }
  if (forms.length === 0) return found
  // If several flags select a form, choose the form that accepts the other flags: `verify --waive` also accepts --gate.
  const best = forms.find((each) =>
    forms.every((other) => other === each || flagNamed(other.flag, each.form)),
  )
  const { flag, form } = best ?? forms[0]!
  const rest = flagNamed(flag, form) ? found.rest : found.rest.filter((word) => word !== flag)
  return { ...found, command: form, rest }
}

export const splitAtEquals = (arg: string): [string, string | undefined] => {
  const at = arg.indexOf('=')
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

export const flagNamed = (name: string | undefined, { flags }: Command): Flag | undefined => {
  for (const flag of flags) if (flag.name === name) return flag
  return undefined
}
