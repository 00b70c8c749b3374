import { nearest } from '../../kernel/nearest.ts'
import type { Problem } from '../../kernel/result.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import { allCommands, commandAt, isPrefix } from '../../operation/commands.ts'
import { isEstimate } from '../../operation/estimates.ts'

/** Flags of every command: `true` if the flag takes a value. */
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
export type CommonOptions = Partial<Record<CommonFlag, string | true>>
const isCommon = (flag: string): flag is CommonFlag => Object.hasOwn(commonFlags, flag)

export interface ParsedArgs {
  input: Record<string, unknown>
  common: CommonOptions
  problems: Problem[]
  /** The flag whose value is `-`: standard input. */
  fromInput?: Flag
}

export interface FoundCommand {
  command?: Command
  /** The known words, even if they are only the start of a command. */
  path: string
  /** The first unknown word. */
  stray?: string
  rest: string[]
}

/** Finds the command before the arguments; common flags may be anywhere. */
export const findCommand = (argv: readonly string[]): FoundCommand => {
  const found: FoundCommand = { path: '', rest: [] }
  let searching = true
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!
    if (searching && !word.startsWith('-')) {
      const path = found.path ? `${found.path} ${word}` : word
      const command = commandAt(path)
      if (command || isPrefix(path)) {
        // Continue from the command's own words, so that `orchestrate spawn` has the subcommands of `spawn`. But `config`,
        // which alone is `config list`, has other subcommands.
        found.path = command && !command.words.startsWith(`${path} `) ? command.words : path
        found.command = command ?? found.command
        continue
      }
      searching = false
      if (isAlone(found)) delete found.command
      if (!found.command) found.stray = word
    }
    found.rest.push(word)
    const flag = word.startsWith('--') && !word.includes('=') ? word.slice(2) : ''
    if (commonFlags[flag as CommonFlag] && i + 1 < argv.length) found.rest.push(argv[++i]!)
    else if (flag && !isCommon(flag) && found.command) searching = false
  }
  if (isAlone(found) && (found.rest.includes('--help') || found.rest.includes('-h'))) delete found.command
  return found.command ? inForm(found, found.command) : found
}

/** True for words such as `config`, which alone run `config list`. */
const isAlone = ({ path, command }: FoundCommand): boolean => command?.words.startsWith(`${path} `) === true

/**
 * A flag can select another form of a command: `verify --gate`. If that form has no flag of this name, the word is
 * removed from the arguments.
 */
const inForm = (found: FoundCommand, command: Command): FoundCommand => {
  const forms: Command[] = []
  for (const word of found.rest) {
    if (word === '--') break
    const form = word.startsWith('--') && commandAt(`${command.words} ${splitAtEquals(word)[0]}`)
    if (form) forms.push(form)
  }
  if (forms.length === 0) return found
  const flagOf = ({ words }: Command) => words.slice(command.words.length + 1)
  // If several flags select a form, prefer the form that accepts the other flags: `verify --waive` also takes --gate.
  const form = forms.find((each) => forms.every((other) => other === each || flagNamed(flagOf(other), each)))
  const chosen = form ?? forms[0]!
  const own = flagNamed(flagOf(chosen), chosen)
  const rest = own ? found.rest : found.rest.filter((word) => word !== flagOf(chosen))
  return { ...found, command: chosen, rest }
}

/** Reads the arguments of a command by its flags and reports every problem. */
export const parseArgs = (argv: readonly string[], command: Command): ParsedArgs => {
  const parsed: ParsedArgs = { input: {}, common: {}, problems: [] }
  const words: string[] = []
  let open = true
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]!
    if (!open || !arg.startsWith('-') || arg === '-') {
      words.push(arg)
      continue
    }
    if (arg === '--') {
      open = false
      continue
    }
    const [name, inline] = splitAtEquals(arg === '-h' ? '--help' : arg)
    const next = argv[i + 1]
    const value = (): string | undefined => {
      if (inline !== undefined) return inline
      if (next === undefined || isFlag(next)) return undefined
      i++
      return next
    }
    takeFlag(name, inline, value, command, parsed)
  }
  takeWords(words, command, parsed)
  for (const flag of command.flags) {
    if (parsed.input[flag.key] !== '-') continue
    if (parsed.fromInput)
      parsed.problems.push({
        path: flag.name,
        message: `${flag.name} cannot read standard input: ${parsed.fromInput.name} already does`,
      })
    else parsed.fromInput = flag
  }
  return parsed
}

/** Whether a word is a flag: two dashes and a name. Any other word is text, such as a Markdown rule. */
const isFlag = (word: string): boolean => {
  const [name] = splitAtEquals(word)
  if (!name.startsWith('--') || name.length === 2) return false
  for (const char of name) if (char !== '-' && !isNameLetter(char)) return false
  return isNameLetter(name[2]!)
}
const isNameLetter = (char: string) => (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9')

const splitAtEquals = (arg: string): [string, string | undefined] => {
  const at = arg.indexOf('=')
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

const takeFlag = (
  name: string,
  inline: string | undefined,
  value: () => string | undefined,
  command: Command,
  parsed: ParsedArgs,
): void => {
  const flag = flagNamed(name, command)
  const common = name.slice(2)
  if (!flag && isCommon(common)) return takeCommon(common, inline, value, parsed)
  if (!flag) {
    if (isEstimate(name)) parsed.input[name.slice(2)] = value() ?? true
    else parsed.problems.push(unknownFlag(name, command, value))
    return
  }
  if (flag.kind === 'switch' || flag.kind === 'rows') {
    const isDash = inline === '-' && flag.kind === 'rows'
    if (inline !== undefined && inline !== 'true' && inline !== 'false' && !isDash) {
      parsed.problems.push({ path: name, message: `${name} takes no value` })
    }
    parsed.input[flag.key] = flag.kind === 'rows' ? '-' : inline !== 'false'
    return
  }
  const given = value()
  if (given === undefined) {
    parsed.problems.push({
      path: name,
      message: `${name} needs a value`,
      fix: `cleo ${command.words} --help`,
    })
  } else if (name === '--format' && envelopeFormats.includes(given)) {
    parsed.common.format = given
  } else {
    storeFlag(flag, given, parsed)
  }
}

/** `--format` values of every command; some commands add their own. */
const envelopeFormats = ['json', 'human']

const takeCommon = (
  flag: CommonFlag,
  inline: string | undefined,
  value: () => string | undefined,
  parsed: ParsedArgs,
) => {
  if (!commonFlags[flag]) {
    parsed.common[flag] = true
    if (inline !== undefined) parsed.problems.push({ path: `--${flag}`, message: `--${flag} takes no value` })
    return
  }
  const given = value()
  if (given) parsed.common[flag] = given
  else parsed.problems.push({ path: `--${flag}`, message: `--${flag} needs a value` })
}

const flagNamed = (name: string | undefined, { flags }: Command): Flag | undefined => {
  for (const flag of flags) if (flag.name === name) return flag
  return undefined
}

/** Names that other trackers use for a flag, and that `nearest` would take for another one. */
const otherFlagNames: Record<string, string> = {
  state: 'status',
  name: 'title',
  body: 'description',
  desc: 'description',
  text: 'description',
  tag: 'labels',
  tags: 'labels',
  deps: 'depends',
  'depends-on': 'depends',
  'blocked-by': 'depends',
  epic: 'parent',
  criteria: 'acceptance',
  kind: 'type',
}

const unknownFlag = (name: string, command: Command, value: () => unknown): Problem => {
  // The flag may belong to another form of the command, such as `verify --gate`.
  const forms = allCommands().filter(({ words }) => words.startsWith(`${command.words} --`))
  const own = [command, ...forms].flatMap(({ flags }) => flags)
  const common = Object.keys(commonFlags).map((flag) => `--${flag}`)
  const names = [...own.map((flag) => flag.name), ...common]
  const usual = otherFlagNames[name.slice(2)]
  const near = usual && names.includes(`--${usual}`) ? `--${usual}` : nearest(name, names)
  // If the misspelt flag takes a value, the next word is that value, not an unexpected argument.
  const meant = own.find((flag) => flag.name === near)
  if (meant ? meant.kind !== 'switch' && meant.kind !== 'rows' : commonFlags[near?.slice(2) as CommonFlag])
    value()
  return { path: name, message: `Unknown flag ${name}.${near ? ` Did you mean ${near}?` : ''}` }
}

export const storeFlag = (flag: Flag, given: string, { input }: ParsedArgs): void => {
  if (flag.kind === 'list' || flag.kind === 'lines') {
    const items = [...((input[flag.key] as string[] | undefined) ?? [])]
    for (const part of flag.kind === 'list' ? given.split(',') : [given]) {
      const item = flag.kind === 'list' ? part.trim() : part
      if (item || flag.kind === 'lines') items.push(item)
    }
    input[flag.key] = items
  } else if (flag.kind === 'number') {
    input[flag.key] = given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : given
  } else {
    input[flag.key] = given
  }
}

const takeWords = (words: string[], command: Command, parsed: ParsedArgs): void => {
  let positional = 0
  let batch = false
  // `--batch -` says where the rows come from.
  if (words[0] === '-' && command.flags.some(({ kind, key }) => kind === 'rows' && key in parsed.input))
    words.shift()
  for (const flag of command.flags) {
    if (flag.kind === 'rows' && flag.key in parsed.input) batch = true
    if (flag.at === undefined) continue
    positional++
    const word = words[flag.at]
    if (word === undefined) continue
    if (flag.key in parsed.input && flag.kind !== 'list' && flag.kind !== 'lines')
      parsed.problems.push({
        path: flag.key,
        message: `<${flag.key}> is given twice: as "${word}" and by ${flag.name}.`,
      })
    storeFlag(flag, word, parsed)
  }
  const extra = words[positional]
  // An extra word after an unknown flag is probably the value of that flag.
  if (extra !== undefined && !parsed.problems.some(({ message }) => message.startsWith('Unknown flag'))) {
    const hint = positional > 0 ? ' Put text with spaces in quotes.' : ''
    parsed.problems.push({ path: extra, message: `Unexpected argument "${extra}".${hint}` })
  }
  for (const { key, name, required, at } of command.flags) {
    if (!required || batch || key in parsed.input) continue
    const shown = at === undefined ? name : `<${key}>`
    parsed.problems.push({ path: key, message: `${shown} is missing.`, fix: `cleo ${command.words} --help` })
  }
}
