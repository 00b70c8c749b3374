import type { CandidateKind } from '../src/help/candidates.ts'
import { type CompletionValue, type FlagWord, formats, type Word } from '../src/help/common-flag-words.ts'
import type { Command, Flag } from '../src/operation/command-table.ts'
import { lettersOf } from '../src/operation/short-flags.ts'

/** The beginning of a command line and everything that can follow it. */
export interface CompletionPlace {
  path: string
  next: Word[]
  /** Without the common flags, which every command has. */
  flags: FlagWord[]
  positional: CompletionValue[]
  /** Whether the last positional can be repeated. */
  rest?: true
}

const dryRun: FlagWord = { word: '--dry-run', about: 'show what would change' }

/**
 * Adds commands under their other names: synonyms, and names in the group `orchestrate`. Names with dots are left out,
 * because people do not type them.
 */
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

/** `kind` is missing for commands that clients run. */
type Completed = Pick<Command, 'words' | 'summary' | 'flags'> & Partial<Pick<Command, 'kind'>>

/** Merges forms such as `verify --waive` into their command. The command gets the flags of all its forms. */
export const mergeForms = (commands: readonly Completed[]): Completed[] => {
  const isForm = ({ words }: Completed) => words.includes(' --')
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
      return { ...command, ...(kind && { kind }), flags: distinct }
    })
}

/** Returns every position where words can be completed: the start, the groups and the commands. */
export const placesToComplete = (
  all: readonly Completed[],
  settings: readonly string[],
): CompletionPlace[] => {
  const commands = mergeForms(all)
  const paths = new Set(commands.flatMap(({ words }) => startsOf(words)))
  const byWords = new Map(commands.map((command) => [command.words, command]))
  const below = Map.groupBy([...paths].filter(Boolean), (path) =>
    path.slice(0, Math.max(0, path.lastIndexOf(' '))),
  )
  return [...paths].sort().map((path) => {
    const command = byWords.get(path)
    return {
      path,
      next: (below.get(path) ?? []).map((other) => wordAt(other, byWords)),
      flags: [
        ...(command?.flags.map((flag) => flagWord(flag, command, settings)) ?? []),
        ...(command?.kind === 'mutate' ? [dryRun] : []),
      ],
      positional: (command?.flags ?? [])
        .filter(({ at }) => at !== undefined)
        .sort((a, b) => a.at! - b.at!)
        .map((flag) => valueFor(flag, path, settings)),
      ...(command?.flags.some(({ rest }) => rest) && { rest: true as const }),
    }
  })
}

/** Returns the positions on the way to a command: '', `session` and `session start` for `session start`. */
const startsOf = (words: string): string[] =>
  ['', ...words.split(' ')].map((_, i, all) => all.slice(1, i + 1).join(' '))

const wordAt = (path: string, commands: ReadonlyMap<string, Completed>): Word => {
  const inside = [...commands.values()].filter(({ words }) => words.startsWith(`${path} `))
  const verbs = inside.map(({ words }) => words.slice(path.length + 1))
  return { word: path.split(' ').at(-1)!, about: commands.get(path)?.summary ?? verbs.join(', ') }
}

const flagWord = (flag: Flag, command: Completed, settings: readonly string[]): FlagWord => {
  const letters = lettersOf(flag, command)
  return {
    word: flag.name,
    about: flag.about,
    ...(letters.length > 0 && { letters }),
    ...(flag.kind !== 'switch' && flag.kind !== 'rows' && { value: valueFor(flag, command.words, settings) }),
  }
}

const paths = new Set(['file', 'files', 'addFiles', 'removeFiles', 'out', 'from', 'draft'])

const valueFor = (
  { key, name, choices }: Flag,
  words: string,
  settings: readonly string[],
): CompletionValue => {
  if (name === '--format') return [...(choices ?? []), ...formats]
  if (choices) return choices
  if (words.startsWith('config ') && key === 'key') return settings
  const kind = kindOf(key, words)
  return kind ? `ask:${kind}` : paths.has(key) ? 'file' : 'anything'
}

const taskKeys = new Set([
  ...['id', 'more', 'task', 'target', 'parent', 'to', 'link', 'linkedTask'],
  ...['depends', 'addDepends', 'removeDepends'],
])
const ofSpawns = ['spawn show', 'spawn diff', 'worktree remove']
/** Commands whose argument `id` or `to` does not name a task. */
const notOfTasks = [
  'memory show',
  'inbox answer',
  'consensus tally',
  'consensus vote',
  'manifest append',
  'db move',
]
/** The status of the tasks that these commands take. All other commands take tasks of any status. */
const statusKinds: Readonly<Record<string, CandidateKind>> = {
  reopen: 'closed',
  unblock: 'blocked',
  ...Object.fromEntries(
    [
      'block',
      'cancel',
      'rm',
      'complete',
      'done',
      'edit',
      'finish',
      'focus set',
      'mv',
      'move',
      'spawn',
      'update',
    ].map((words) => [words, 'open' as const]),
  ),
}

/** Returns the kind of values that `cleo completion values` can list for a field; undefined for other fields. */
const kindOf = (key: string, words: string): CandidateKind | undefined => {
  if (key === 'epic' || (words.startsWith('lifecycle ') && key === 'id')) return 'epics'
  if (key === 'in' || (words.startsWith('session ') && key === 'id')) return 'sessions'
  if (key === 'skills' || (words.startsWith('skills ') && (key === 'name' || key === 'skill')))
    return 'skills'
  if (ofSpawns.includes(words) && ['id', 'from', 'to', 'spawn'].includes(key)) return 'spawns'
  if (!taskKeys.has(key) || notOfTasks.includes(words)) return undefined
  return key === 'id' || key === 'more' ? (statusKinds[words] ?? 'tasks') : 'open'
}
