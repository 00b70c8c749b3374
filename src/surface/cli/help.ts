import type { Style } from '../../kernel/style.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import { commandAt } from '../../operation/commands.ts'
import { serverCommands } from './servers.ts'

const groups: [string, readonly string[]][] = [
  ['Start here', ['init', 'add', 'list', 'show', 'find', 'tree']],
  ['Lead agents', ['next', 'ready', 'analyze', 'spawn', 'receive', 'status', 'inbox']],
  ['Work on a task', ['focus set', 'note', 'verify', 'finish', 'complete']],
]

/** Help for `cleo` without a command. */
export const overview = (commands: readonly Command[], style: Style): string[] => {
  const byWords = new Map(commands.map((command) => [command.words, command]))
  const featured = groups.flatMap(([title, words]) => [
    '',
    style.bold(title),
    ...rows(
      words.flatMap((word) => byWords.get(word) ?? []),
      style,
    ),
  ])
  const named = new Set(groups.flatMap(([, words]) => words))
  const rest = commands
    .filter(({ words }) => !named.has(words) && !words.includes(' --'))
    .map(({ words }) => words)
    .concat(serverCommands.map(({ name }) => name))
    .sort((a, b) => a.localeCompare(b))
  return [
    `${style.bold('cleo')} coordinates many coding agents on one task graph.`,
    ...featured,
    '',
    style.bold('Other commands'),
    ...wrapped(rest, ', ', 76).map((line) => `  ${line}`),
    '',
    'Run cleo <command> --help for details. For JSON add --json or set CLEO_FORMAT=json.',
  ]
}

/** Help for words such as `cleo session`: lists the commands that have a name with these first words. */
export const group = (path: string, commands: readonly Command[], style: Style): string[] => {
  const own = commands.some(({ words }) => words.startsWith(`${path} `))
  return [
    `${style.bold(`cleo ${path}`)} ${own ? `${needs(path)}:` : 'needs a subcommand. Short names of its commands:'}`,
    ...rows(commands, style),
  ]
}

const needs = (path: string): string => {
  const alone = commandAt(path)
  return alone ? `is cleo ${alone.words}. All subcommands` : 'needs a subcommand'
}

const rows = (commands: readonly Command[], style: Style): string[] =>
  style.table(
    commands.map(({ words, summary }) => [`  ${style.cyan(words)}`, summary]),
    1,
  )

/** Help for one command: `cleo add --help`. */
export const helpFor = (
  command: Command,
  style: Style,
  width: number,
  commands: readonly Command[] = [],
): string[] => {
  const forms = commands.filter(({ words }) => words.startsWith(`${command.words} --`))
  const positionals = command.flags.filter(({ at }) => at !== undefined).sort((a, b) => a.at! - b.at!)
  const flags = command.flags.filter(({ at }) => at === undefined)
  const [words, form] = command.words.split(' --')
  const usage = [
    'cleo',
    words,
    ...positionals.map(({ key, required }) => (required ? `<${key}>` : `[${key}]`)),
    ...(form ? [`--${form}${valueHint(flags.find(({ name }) => name === `--${form}`))}`] : []),
    ...(flags.length > 0 ? ['[flags]'] : []),
  ]
  const table = (items: readonly Flag[], name: (flag: Flag) => string) => explained(items, name, width, style)
  return [
    command.summary,
    '',
    `  ${style.bold(usage.join(' '))}`,
    ...(command.also
      ? [`  ${style.dim(`also: ${command.also.map((name) => `cleo ${name}`).join(', ')}`)}`]
      : []),
    ...(positionals.length > 0 ? ['', ...table(positionals, ({ key }) => `<${key}>`)] : []),
    ...(flags.length > 0 ? ['', ...table(flags, (flag) => `${flag.name}${valueHint(flag)}`)] : []),
    ...(forms.length > 0 ? ['', ...rows(forms, style)] : []),
    '',
    ...command.examples.map((example) => `  ${style.dim('$')} ${example}`),
    '',
    `Every command: --json --human --format --raw --quiet --field --fields --project --session --as${command.kind === 'mutate' ? ' --dry-run' : ''} --verbose`,
  ]
}

/** Lists flags in two columns: names, and descriptions that are wrapped and never cut. */
const explained = (
  flags: readonly Flag[],
  name: (flag: Flag) => string,
  width: number,
  style: Style,
): string[] => {
  const left = Math.max(...flags.map((flag) => name(flag).length))
  return flags.flatMap((flag) => {
    const [first, ...more] = wrapped(about(flag).split(' '), ' ', Math.max(30, width - left - 4))
    const indent = ' '.repeat(left + 4)
    return [
      `  ${style.cyan(name(flag))}${' '.repeat(left - name(flag).length)}  ${first}`,
      ...more.map((line) => indent + line),
    ]
  })
}

const valueHint = (flag: Flag | undefined): string => {
  if (!flag) return ''
  const { kind, choices } = flag
  if (kind === 'switch' || kind === 'rows') return ''
  if (choices) return ` ${choices.join('|').length > 40 ? '…' : choices.join('|')}`
  return kind === 'number' ? ' n' : kind === 'list' ? ' a,b' : ' "…"'
}

const about = ({ about, required, fallback, choices, at, kind }: Flag): string => {
  const notes = [
    ...(required && at === undefined ? ['required'] : []),
    ...(fallback !== undefined ? [`default ${fallback}`] : []),
    ...(choices && choices.join('|').length > 40 ? [choices.join(', ')] : []),
    ...(kind === 'list' ? ['comma-separated or repeated'] : kind === 'lines' ? ['repeatable'] : []),
  ]
  return notes.length > 0 ? `${about} (${notes.join('; ')})` : about
}

const wrapped = (words: readonly string[], between: string, width: number): string[] => {
  const out: string[] = []
  for (const word of words) {
    const last = out.at(-1)
    if (last !== undefined && last.length + between.length + word.length <= width)
      out[out.length - 1] = last + between + word
    else out.push(word)
  }
  return out.map((line, i) => (i < out.length - 1 ? line + between.trimEnd() : line))
}
