import type { Problem } from '../../kernel/result.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import {
  type CommonFlag,
  commonFlags,
  type FoundCommand,
  flagNamed,
  isCommonFlag,
  splitAtEquals,
} from '../../operation/commands.ts'
import { isEstimate } from '../../operation/estimates.ts'
import { expandShort } from '../../operation/short-flags.ts'

export type CommonOptions = Partial<Record<CommonFlag, string | true>>
export interface ParsedArgs {
  input: Record<string, unknown>
  common: CommonOptions
  problems: Problem[]
  /** The flag whose text must be read from standard input or a pipe, because its value is `-` or the path of a pipe. */
  fromInput?: Flag
}

export const parseArgs = (given: readonly string[], command: Command): ParsedArgs => {
  const parsed: ParsedArgs = { input: {}, common: {}, problems: [] }
  const argv = hasShort(given) ? withLongFlags(given, command) : given
  const words: string[] = []
  let open = true
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]!
    if (
      !open ||
      !arg.startsWith('-') ||
      arg === '-' ||
      (words.length > 0 && arg[1]! >= '0' && arg[1]! <= '9')
    ) {
      words.push(arg)
      continue
    }
    if (arg === '--') {
      open = false
      continue
    }
    const [name, inline] = splitAtEquals(arg)
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
    if (flag.dash || !namesInput(parsed.input[flag.key])) continue
    if (parsed.fromInput)
      parsed.problems.push({
        path: flag.name,
        message: `${flag.name} cannot read standard input: ${parsed.fromInput.name} already does`,
      })
    else parsed.fromInput = flag
  }
  return parsed
}

/** Whether a value is `-`, or the path of a pipe that the shell has opened: `/dev/stdin`, or `/dev/fd/63` of `<(…)`. */
const namesInput = (value: unknown): boolean =>
  value === '-' || value === '/dev/stdin' || (typeof value === 'string' && value.startsWith('/dev/fd/'))

/** Most command lines have no short flag and need no rewriting. */
const hasShort = (argv: readonly string[]): boolean => {
  for (const word of argv) if (word[0] === '-' && word.length > 1 && word[1] !== '-') return true
  return false
}

/** Replaces short flags by long ones. Does not change a word that is the value of the flag before it. */
const withLongFlags = (argv: readonly string[], command: Command): string[] => {
  const takesValue = (name: string): boolean => {
    const kind = flagNamed(name, command)?.kind
    return kind ? kind !== 'switch' && kind !== 'rows' : commonFlags[name.slice(2) as CommonFlag] === true
  }
  const long: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!
    if (word === '--') return [...long, ...argv.slice(i)]
    const isShort = word[0] === '-' && word.length > 1 && word[1] !== '-'
    const words = (isShort && expandShort(word, command, takesValue)) || [word]
    long.push(...words)
    const last = words.at(-1)!
    if (last.startsWith('--') && !last.includes('=') && takesValue(last) && i + 1 < argv.length)
      long.push(argv[++i]!)
  }
  return long
}

/** Whether a word is a flag: two dashes and a name. Any other word is text, even `---`. */
const isFlag = (word: string): boolean => {
  const [name] = splitAtEquals(word)
  if (!name.startsWith('--') || name.length === 2) return false
  for (const char of name) if (char !== '-' && !isNameLetter(char)) return false
  return isNameLetter(name[2]!)
}
const isNameLetter = (char: string) => (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9')

const takeFlag = (
  name: string,
  inline: string | undefined,
  value: () => string | undefined,
  command: Command,
  parsed: ParsedArgs,
): void => {
  const flag = flagNamed(name, command)
  const common = name.slice(2)
  if (!flag && isCommonFlag(common)) return takeCommon(common, inline, value, parsed)
  if (!flag) {
    if (isEstimate(name)) parsed.input[name.slice(2)] = value() ?? true
    else parsed.problems.push(unknownFlag(name))
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

/** The values of `--format` that every command accepts. Some commands accept further values. */
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

/** If the refusal is printed, `near-flag.ts` adds the flag that was probably meant. */
const unknownFlag = (name: string): Problem => ({ path: name, message: `Unknown flag ${name}.` })

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

const takeWords = (given: string[], command: Command, parsed: ParsedArgs): void => {
  let positional = 0
  let batch = false
  let rest: Flag | undefined
  for (const flag of command.flags) {
    if (flag.at !== undefined) positional++
    if (flag.rest) rest = flag
  }
  const words = rest ? splitAtCommas(given) : given
  // The number of words for the one positional argument that accepts several words.
  const surplus = rest && words.length >= positional ? words.length - positional + 1 : 0
  // `--batch -` means the same as `--batch`, because the rows come from standard input in any case.
  if (words[0] === '-' && command.flags.some(({ kind, key }) => kind === 'rows' && key in parsed.input))
    words.shift()
  for (const flag of command.flags) {
    if (flag.kind === 'rows' && flag.key in parsed.input) batch = true
    if (flag.at === undefined) continue
    if (flag.rest) {
      for (const word of words.slice(flag.at, flag.at + surplus)) storeFlag(flag, word, parsed)
      continue
    }
    const word = words[rest && flag.at > rest.at! ? flag.at - 1 + surplus : flag.at]
    if (word === undefined) continue
    if (flag.key in parsed.input && flag.kind !== 'list' && flag.kind !== 'lines')
      parsed.problems.push({
        path: flag.key,
        message: `<${flag.key}> is given twice: as "${word}" and by ${flag.name}.`,
      })
    storeFlag(flag, word, parsed)
  }
  const extra = rest ? undefined : words[positional]
  // An extra word after an unknown flag is probably the value of that flag, so do not report it.
  if (extra !== undefined && !parsed.problems.some(({ message }) => message.startsWith('Unknown flag'))) {
    const hint = positional > 0 ? ' Put text with spaces in quotes.' : ''
    parsed.problems.push({ path: extra, message: `Unexpected argument "${extra}".${hint}` })
  }
  for (const { key, name, required, at, about } of command.flags) {
    if (!required || batch || key in parsed.input) continue
    const message = at === undefined ? `${name} is missing: ${about}.` : `<${key}> is missing.`
    parsed.problems.push({ path: key, message, fix: `cleo ${command.words} --help` })
  }
}

const splitAtCommas = (words: string[]): string[] => {
  // Look for a comma first, because the first use of `flatMap` takes as long as reading all arguments. Most command
  // lines have no comma.
  for (const word of words)
    if (word.includes(','))
      return words.flatMap((each) => (each.includes(',') ? each.split(',').filter(Boolean) : [each]))
  return words
}

/** Everything after `--` is text, even if it looks like a flag. */
export const asksForHelp = ({ rest }: FoundCommand): boolean => {
  for (const word of rest) {
    if (word === '--help' || word === '-h') return true
    if (word === '--') return false
  }
  return false
}
