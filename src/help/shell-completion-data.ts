import type { Command, Flag } from '../operation/command-table.ts'

/** A word that may come next, and what it does. */
export interface Word {
  word: string
  about: string
}

/** The values of a flag or positional: a choice, a file, a folder, or anything. */
export type CompletionValue = readonly string[] | 'file' | 'folder' | 'anything'

export interface FlagWord extends Word {
  /** Left out for a switch. */
  value?: CompletionValue
}

/** The beginning of a command line and everything that may follow it. */
export interface CompletionPlace {
  path: string
  next: Word[]
  /** The flags of this place, without those that every command takes. */
  flags: FlagWord[]
  /** The positional words of the command, in their order. */
  positional: CompletionValue[]
}

const formats = ['json', 'human']

/** Flags of every command; a test compares them with the table of the command line. */
export const commonFlags: readonly FlagWord[] = [
  { word: '--json', about: 'print JSON' },
  { word: '--human', about: 'print text for people' },
  { word: '--format', about: 'json or human', value: formats },
  { word: '--raw', about: 'print only the data' },
  { word: '--quiet', about: 'print nothing' },
  { word: '--field', about: 'print one value', value: 'anything' },
  { word: '--fields', about: 'keep these fields', value: 'anything' },
  { word: '--project', about: 'the folder of the project', value: 'folder' },
  { word: '--session', about: 'session of this command', value: 'anything' },
  { word: '--as', about: 'agent or person to act as', value: 'anything' },
  { word: '--verbose', about: 'print more details' },
  { word: '--help', about: 'explain this command' },
]
const dryRun: FlagWord = { word: '--dry-run', about: 'change nothing' }

/** Adds the commands under their other names: synonyms, and those in the group `orchestrate`. Names with dots are not typed. */
export const withOtherNames = (
  commands: readonly Command[],
  names: ReadonlyMap<string, string>,
): Command[] => {
  const byWords = new Map(commands.map((command) => [command.words, command]))
  const others = [...names].flatMap(([name, words]) => {
    const command = byWords.get(words)!
    const offered = command.also?.includes(name) || name.startsWith('orchestrate ')
    return offered && name !== words ? [{ ...command, words: name }] : []
  })
  return [...commands, ...others]
}

/** Merges forms such as `verify --waive` into their command, which gets the flags of all its forms. */
export const mergeForms = (commands: readonly Command[]): Command[] => {
  const isForm = ({ words }: Command) => words.includes(' --')
  return commands
    .filter((command) => !isForm(command))
    .map((command) => {
      const forms = commands.filter(({ words }) => words.startsWith(`${command.words} --`))
      const chosen = forms.map(({ words, summary }): Flag => {
        const name = words.slice(command.words.length + 1)
        return { key: name.slice(2), name, kind: 'switch', about: summary }
      })
      const flags = [...command.flags, ...forms.flatMap((form) => form.flags), ...chosen]
      const distinct = flags.filter(({ name }, i) => flags.findIndex((flag) => flag.name === name) === i)
      const kind = forms.some((form) => form.kind === 'mutate') ? 'mutate' : command.kind
      return { ...command, kind, flags: distinct }
    })
}

/** Every position where words can be completed: the start, the groups and the commands. */
export const placesToComplete = (all: readonly Command[]): CompletionPlace[] => {
  const commands = mergeForms(all)
  const paths = new Set(commands.flatMap(({ words }) => startsOf(words)))
  const byWords = new Map(commands.map((command) => [command.words, command]))
  return [...paths].sort().map((path) => {
    const command = byWords.get(path)
    return {
      path,
      next: [...paths].filter((other) => isNext(path, other)).map((other) => wordAt(other, byWords)),
      flags: [...(command?.flags.map(flagWord) ?? []), ...(command?.kind === 'mutate' ? [dryRun] : [])],
      positional: (command?.flags ?? [])
        .filter(({ at }) => at !== undefined)
        .sort((a, b) => a.at! - b.at!)
        .map(valueFor),
    }
  })
}

/** The positions on the path to `session start`: '', `session` and `session start`. */
const startsOf = (words: string): string[] =>
  ['', ...words.split(' ')].map((_, i, all) => all.slice(1, i + 1).join(' '))

const isNext = (path: string, other: string): boolean =>
  other !== '' && other.split(' ').slice(0, -1).join(' ') === path

const wordAt = (path: string, commands: ReadonlyMap<string, Command>): Word => {
  const inside = [...commands.values()].filter(({ words }) => words.startsWith(`${path} `))
  const verbs = inside.map(({ words }) => words.slice(path.length + 1))
  return { word: path.split(' ').at(-1)!, about: commands.get(path)?.summary ?? verbs.join(', ') }
}

const flagWord = (flag: Flag): FlagWord => ({
  word: flag.name,
  about: flag.about,
  ...(flag.kind !== 'switch' && flag.kind !== 'rows' && { value: valueFor(flag) }),
})

const paths = new Set(['file', 'files', 'addFiles', 'removeFiles', 'out'])

const valueFor = ({ key, name, choices }: Flag): CompletionValue => {
  if (name === '--format') return [...(choices ?? []), ...formats]
  return choices ?? (paths.has(key) ? 'file' : 'anything')
}
