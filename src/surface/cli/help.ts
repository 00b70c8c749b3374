import { clientCommands } from '../../help/client-commands.ts'
import type { Style } from '../../kernel/style.ts'
import type { Command, Flag, Sample } from '../../operation/command-table.ts'
import { allCommands, allNames, commandAt } from '../../operation/commands.ts'
import { helpTable } from '../../operation/generated/command-help.ts'
import { lettersOf } from '../../operation/short-flags.ts'

const groups: [string, readonly string[]][] = [
  ['Start here', ['quickstart', 'init', 'add', 'list', 'show', 'find', 'tree']],
  [
    'Lead agents',
    ['next', 'ready', 'analyze', 'spawn', 'receive', 'land', 'run', 'status', 'board', 'inbox'],
  ],
  ['Change tasks', ['update', 'edit', 'mv', 'block', 'cancel', 'undo']],
  ['Work on a task', ['focus set', 'note', 'verify', 'finish', 'complete']],
]

export const overview = (commands: readonly Command[], style: Style): string[] => {
  const all = [...commands, clientCommands.quickstart]
  const byWords = new Map(all.map((command) => [command.words, command]))
  const featured = groups.flatMap(([title, words]) => [
    '',
    style.bold(title),
    ...rows(
      words.flatMap((word) => byWords.get(word) ?? []),
      style,
    ),
  ])
  const named = new Set(groups.flatMap(([, words]) => words))
  const rest = [...commands, ...Object.values(clientCommands)]
    .filter(({ words }) => !named.has(words) && !words.includes(' --'))
    .map(({ words }) => words)
    .sort((a, b) => a.localeCompare(b))
  return [
    `${style.bold('cleo')} coordinates many coding agents on one task graph.`,
    ...featured,
    '',
    style.bold('Other commands'),
    ...wrapped(rest, ', ', Math.min(98, pageWidth(style) - 2)).map((line) => `  ${line}`),
    '',
    ...paragraph(
      'Run cleo <command> --help for details, cleo help flags for the flags of every command. For JSON add --json or set CLEO_FORMAT=json.',
      style,
    ),
  ]
}

/** Help for a group such as `cleo session`: lists its commands. */
export const group = (path: string, commands: readonly Command[], style: Style): string[] => {
  const own = commands.some(({ words }) => words.startsWith(`${path} `))
  return [
    ...paragraph(
      `${style.bold(`cleo ${path}`)} ${own ? `${needs(path)}:` : 'needs a subcommand. Its commands also have short names:'}`,
      style,
    ),
    ...rows(commands, style),
  ]
}

const needs = (path: string): string => {
  const alone = commandAt(path)
  return alone ? `runs cleo ${alone.words}. All subcommands` : 'needs a subcommand'
}

const rows = (commands: readonly Pick<Command, 'words' | 'summary'>[], style: Style): string[] =>
  explained(
    commands.map(({ words, summary }) => [words, summary]),
    style,
  )

const pipeWidth = 100
const pageWidth = (style: Style): number => style.width ?? pipeWidth

export const paragraph = (text: string, style: Style): string[] =>
  wrapped(text.split(' '), ' ', pageWidth(style))

export const helpFor = (command: Command, style: Style, commands: readonly Command[] = []): string[] => {
  const forms = commands.filter(({ words }) => words.startsWith(`${command.words} --`))
  const positionals = command.flags.filter(({ at }) => at !== undefined).sort((a, b) => a.at! - b.at!)
  const flags = command.flags.filter(({ at }) => at === undefined)
  const help = helpTable[command.words]
  const [words, form] = command.words.split(' --')
  const usage = [
    'cleo',
    words,
    ...positionals.map(placeName),
    ...(form ? [`--${form}${valueHint(flags.find(({ name }) => name === `--${form}`))}`] : []),
    ...(flags.length > 0 ? ['[flags]'] : []),
  ]
  const table = (items: readonly Flag[], name: (flag: Flag) => string) =>
    explained(
      items.map((flag) => [name(flag), about(flag)]),
      style,
    )
  return [
    ...paragraph(command.summary, style),
    '',
    `  ${style.bold(usage.join(' '))}`,
    ...(command.also
      ? wrapped(
          command.also.map((name) => `cleo ${name}`),
          ', ',
          pageWidth(style) - 8,
        ).map((line, i) => style.dim(i === 0 ? `  also: ${line}` : `        ${line}`))
      : []),
    ...(positionals.length > 0 ? ['', ...table(positionals, ({ key }) => `<${key}>`)] : []),
    ...(flags.length > 0
      ? ['', ...table(flags, (flag) => `${shortNames(flag, command)}${flag.name}${valueHint(flag)}`)]
      : []),
    ...(forms.length > 0 ? ['', ...rows(forms, style)] : []),
    '',
    ...(help?.examples ?? []).map((example) => `  ${style.dim('$')} ${example}`),
    ...(help?.sample ? sampleLines(help.sample, style) : []),
    '',
    ...paragraph(
      `Every command: --json --human --format --raw --quiet --field --fields --project --session --as${command.kind === 'mutate' ? ' --dry-run' : ''} --verbose (cleo help flags)`,
      style,
    ),
  ]
}

const sampleLines = ({ about, lines }: Sample, style: Style): string[] => [
  '',
  ...paragraph(about, style),
  '',
  ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
]

/** Returns the short form of a flag, such as `-p, `, to print before its name. */
const shortNames = (flag: Flag, command: Command): string =>
  lettersOf(flag, command)
    .map((letter) => `-${letter}, `)
    .join('')

const placeName = ({ key, required, rest }: Flag): string =>
  required ? `<${key}>` : `[${key}${rest ? ' …' : ''}]`

/**
 * Lists names with their descriptions in two columns. Descriptions are wrapped and never cut. If a few long names
 * would leave little room, their descriptions are below them. If the terminal is too narrow for two columns, each
 * description is below its name.
 */
export const explained = (
  items: readonly (readonly [name: string, about: string])[],
  style: Style,
): string[] => {
  const lengths = items.map(([name]) => name.length)
  const longest = Math.max(...lengths)
  const isTight = pageWidth(style) - longest - 4 < enoughRoom
  const left = isTight ? Math.max(0, ...lengths.filter((length) => length <= mostOfName)) : longest
  const room = pageWidth(style) - left - 4
  const isBelow = room < leastRoom
  const indent = ' '.repeat(isBelow ? 6 : left + 4)
  return items.flatMap(([name, about]) => {
    const lines = wrapped(about.split(' '), ' ', isBelow ? pageWidth(style) - indent.length : room)
    if (isBelow || name.length > left) return [`  ${style.cyan(name)}`, ...lines.map((line) => indent + line)]
    const [first, ...more] = lines
    return [
      `  ${style.cyan(name)}${' '.repeat(left - name.length)}  ${first}`,
      ...more.map((line) => indent + line),
    ]
  })
}

/** The least width for a column of descriptions. A narrower column is hard to read. */
const leastRoom = 28
/** If descriptions have less room than this, names longer than `mostOfName` get their own line. */
const enoughRoom = 45
const mostOfName = 30

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
    ...(choices && choices.join('|').length > 40 ? [`one of: ${choices.join(', ')}`] : []),
    ...(kind === 'list' && at === undefined
      ? ['comma-separated or repeated']
      : kind === 'lines'
        ? ['repeatable']
        : []),
  ]
  return notes.length > 0 ? `${about} (${notes.join('; ')})` : about
}

const wrapped = (words: readonly string[], between: string, width: number): string[] => {
  const out: string[] = []
  for (const word of words) {
    const last = out.at(-1)
    // Leave room for the separator, because every line but the last one ends with it.
    const room = width - between.trimEnd().length
    if (last !== undefined && last.length + between.length + word.length <= room)
      out[out.length - 1] = last + between + word
    else out.push(word)
  }
  return out.map((line, i) => (i < out.length - 1 ? line + between.trimEnd() : line))
}

/** Returns the commands of a group, such as `next` for the group `orchestrate`. */
export const commandsIn = (path: string): Command[] => {
  const inside = new Set(
    [...allNames()].flatMap(([name, words]) => (name.startsWith(`${path} `) ? [words] : [])),
  )
  return allCommands().filter(({ words }) => inside.has(words))
}
