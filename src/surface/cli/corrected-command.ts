import { canonicalSpawnId, parseTaskId } from '../../kernel/task-id.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import { commandAt, commonFlags, findCommand, flagNamed, splitAtEquals } from '../../operation/commands.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { parseArgs } from './args.ts'
import { dependencyWords, nearFlag } from './near-flag.ts'

type Words = readonly string[]

/** Marks a place where the reader has to fill in text. */
const blank = '…'
/** CLEO does not correct a command line that is longer than this, because a program probably wrote it. */
const longestLine = 1000

/**
 * Returns the command line that the caller probably meant. Corrects flags of other tools, text without quotes, a reason
 * without its flag, and several ids for a command that takes only one. Returns undefined if there is nothing to
 * correct, or if the corrected line still has a problem.
 */
export const correctedCommand = (argv: Words): string | undefined => {
  const { command, rest } = findCommand(argv)
  const meant = meantCommand(argv)
  return command && meant === lineOf(command, rest) ? undefined : meant
}

/** Like `correctedCommand`, but also returns a line that needs no correction. */
export const meantCommand = (argv: Words): string | undefined => {
  if (argv.join(' ').length > longestLine) return undefined
  const given = findCommand(argv)
  const said = given.command && flagsOfOthers(given.command, given.rest)
  const { command, rest } = said ? findCommand(said) : given
  if (!command) return undefined
  const several = oneForEach(command, rest)
  if (several) return several
  const words = filledIn(command, joinedText(command, withKnownFlags(command, rest)))
  if (command.words === 'cancel') {
    const blanked = withBlankReason(words)
    return blanked && lineOf(command, blanked)
  }
  if (parseArgs(words, command).problems.length > 0) return undefined
  return cannotBeUndone(command) ? undefined : lineOf(command, words)
}

/**
 * The words of a command can end with a flag, as in `add --from`. If the arguments also contain this flag, it is
 * printed only once.
 */
const lineOf = (command: Command, rest: Words): string => {
  const [own = '', flag] = command.words.split(' --')
  return line([flag && rest.includes(`--${flag}`) ? own : command.words, ...rest])
}

const line = (words: Words): string =>
  `cleo ${words.map((word, i) => (i === 0 ? word : word === blank ? `"${blank}"` : shellQuote(word))).join(' ')}`

/** CLEO does not suggest these commands as the correction of another command line. */
const cannotBeUndone = ({ words }: Command): boolean =>
  ['restore', 'import', 'untrust', 'db move', 'session end'].includes(words)

/**
 * Returns the arguments of `cancel` with a blank for the reason, even if a reason was given, so that the line does not
 * run until a person fills in the reason.
 */
const withBlankReason = (words: Words): Words | undefined => {
  const end = words.findIndex((word) => !parseTaskId(word))
  const ids = end < 0 ? words : words.slice(0, end)
  const below = words.filter((word) => word === '--with-children')
  return ids.length > 0 ? [...ids, ...below, '--reason', blank] : undefined
}

/** Words that other tools use for a status. */
const statuses: Record<string, string> = {
  todo: 'pending',
  'in-progress': 'active',
  doing: 'active',
  started: 'active',
  closed: 'done,cancelled',
  completed: 'done',
  complete: 'done',
  finished: 'done',
  canceled: 'cancelled',
  deleted: 'cancelled',
}

/** No flags for open tasks, because `list` shows them by default. */
const statusFlags = (value = ''): Words => {
  const known = value.toLowerCase().replaceAll(/[\s_]/g, '-')
  if (known === 'open' || known === '') return []
  return known === 'all' ? ['--all'] : ['--status', statuses[known] ?? known]
}

/**
 * Corrects flags of other tools that need more than a new name. The key is a command and the flag.
 * Each function gets the value of the flag and the other words, and returns the corrected words.
 */
const otherFlags: Record<string, (value: string | undefined, others: Words) => Words> = {
  'list --state': (value, others) => ['list', ...others, ...statusFlags(value)],
  'list --status': (value, others) => ['list', ...others, ...statusFlags(value)],
  'list --open': (_, others) => ['list', ...others],
  'list --blocked': (_, others) => ['list', ...others, '--status', 'blocked'],
  'list --done': (_, others) => ['list', ...others, '--status', 'done'],
  'list --closed': (_, others) => ['list', ...others, '--status', 'done,cancelled'],
  'list --search': (value = blank) => ['find', value],
  'list --assignee': (_, others) => ['list', ...others, '--mine'],
  'list --json': (value = '', others) => ['list', ...others, '--json', '--fields', value],
  'log --oneline': (_, others) => ['log', ...others],
  'log -p': (_, others) => ['log', ...others, '--details'],
  'add -f': fromFile,
  'add --file': fromFile,
  'complete --reason': (_, others) => ['complete', ...others],
  'complete -m': (_, others) => ['complete', ...others],
  'doctor --repair': (_, others) => ['doctor', ...others, '--fix'],
  'update --done': (_, others) => ['complete', ...others],
  'update --claim': (_, others) => ['focus', 'set', ...others],
  'update --assignee': (_, others) => ['focus', 'set', ...others],
  'cancel --all': (_, others) => ['cancel', ...others, '--with-children'],
  'setup --remove': (_, others) => ['setup', ...others, '--undo'],
  'setup --uninstall': (_, others) => ['setup', ...others, '--undo'],
  'run stop --all': (_, others) => ['run', 'stop', ...others],
  'config list --list': () => ['config', 'list'],
  'config list --get': (value = blank) => ['config', 'get', value],
}
const takesNoValue = [
  ...['--open', '--blocked', '--done', '--closed', '--claim', '--oneline', '-p', '--list', '--repair'],
  ...['--all', '--remove', '--uninstall'],
]

/** A Markdown file is probably an outline. Any other file is probably a file that the task changes. */
function fromFile(value: string | undefined, others: Words): Words {
  return ['add', ...others, value?.endsWith('.md') ? '--from' : '--files', value ?? blank]
}

const flagsOfOthers = (command: Command, rest: Words): Words | undefined => {
  const change = (name: string) =>
    Object.hasOwn(otherFlags, `${command.words} ${name}`)
      ? otherFlags[`${command.words} ${name}`]
      : waitsOn(command, name)
  const at = rest.findIndex((word) => change(splitAtEquals(word)[0]))
  if (at < 0) return byPosition(command, rest)
  const [name, inline] = splitAtEquals(rest[at]!)
  const next = rest[at + 1]
  const hasNext = inline === undefined && !takesNoValue.includes(name) && next && !next.startsWith('-')
  return change(name)!(inline ?? (hasNext ? next : undefined), rest.toSpliced(at, hasNext ? 2 : 1))
}

/** Corrects `block T006 --by T004` and `deps T006 --after T004`. Both mean that T006 depends on T004. */
const waitsOn = ({ words }: Command, name: string) =>
  (words === 'block' || words === 'deps') && name.startsWith('--') && dependencyWords.includes(name.slice(2))
    ? (value = blank, others: Words): Words => ['update', ...others, '--add-depends', value]
    : undefined

/** Corrects a word that stands in place of a task id, as in `list done`, `list epic` and `show Form`. */
const byPosition = ({ words }: Command, rest: Words): Words | undefined => {
  const [first = '', ...more] = rest
  if (words === 'update') return afterId(rest)
  if (words === 'restore' && parseTaskId(first)) return ['reopen', ...rest]
  const task =
    words === 'run stop' ? (canonicalSpawnId(first)?.split('.')[0] ?? parseTaskId(first)) : undefined
  if (task && /^t/i.test(first)) return ['run', 'stop', '--task', task, ...more]
  if (words === 'mv' && more.length === 1 && !parseTaskId(more[0]!)) return statusCommand(first, more[0]!)
  if (parseTaskId(first) || first.startsWith('-')) return undefined
  if (words === 'list' && first) {
    if (['epic', 'task', 'subtask'].includes(first)) return ['list', '--type', first, ...more]
    const known = statusFlags(first)[1]
    const isStatus = known === undefined || /^(pending|active|blocked|done|cancelled)/.test(known)
    return isStatus ? ['list', ...statusFlags(first), ...more] : search(rest)
  }
  return words === 'show' ? search(rest) : undefined
}

/**
 * Reads the text after the id, as in `update T006 "A new title"`: a status, a priority, a field and its value, or the
 * new title.
 */
const afterId = (rest: Words): Words | undefined => {
  const end = rest.findIndex((word) => word.startsWith('-'))
  const [id = '', ...text] = end < 0 ? rest : rest.slice(0, end)
  const others = end < 0 ? [] : rest.slice(end)
  const update = commandAt('update')!
  const [first = ''] = text
  const isOther = text.length === 0 || text.some((word) => parseTaskId(word) || attribute(word, update))
  if (!parseTaskId(id) || isOther) return undefined
  if (text.length === 1) {
    if (['critical', 'high', 'medium', 'low'].includes(first))
      return ['update', id, '--priority', first, ...others]
    const command = statusCommand(id, first)
    if (command && others.length === 0) return command
  }
  const field = flagNamed(`--${first}`, update)
  if (field && field.at === undefined && text.length > 1)
    return ['update', id, field.name, text.slice(1).join(field.kind === 'list' ? ',' : ' '), ...others]
  return others.includes('--title') ? undefined : ['update', id, '--title', text.join(' '), ...others]
}

/** Returns a search for these words, unless they look like a misspelt id. */
const search = (rest: Words): Words | undefined => {
  const end = rest.findIndex((word) => word.startsWith('-'))
  const text = (end < 0 ? rest : rest.slice(0, end)).join(' ')
  return text === '' || /\d/.test(text) ? undefined : ['find', text, ...(end < 0 ? [] : rest.slice(end))]
}

/** Undefined for a word that is not a status. */
export const statusCommand = (id: string, status: string): Words | undefined => {
  switch (statusFlags(status)[1]) {
    case undefined:
    case 'pending':
      return ['reopen', id]
    case 'active':
      return ['focus', 'set', id]
    case 'blocked':
      return ['block', id]
    case 'done':
    case 'done,cancelled':
      return ['complete', id]
    case 'cancelled':
      return ['cancel', id]
    default:
      return undefined
  }
}

/** If a command that takes only one id got several ids, returns the command once for each id. */
const oneForEach = (command: Command, rest: Words): string | undefined => {
  const places = command.flags.filter(({ at }) => at !== undefined)
  const ids = rest.filter((word) => parseTaskId(word))
  if (places.length !== 1 || places[0]!.rest || ids.length < 2 || cannotBeUndone(command)) return undefined
  const each = ids.map((id) => [id, ...rest.filter((word) => !ids.includes(word))])
  if (each.some((words) => parseArgs(words, command).problems.length > 0)) return undefined
  return each.map((words) => line([command.words, ...words])).join(' && ')
}

const withKnownFlags = (command: Command, rest: Words): Words =>
  rest.flatMap((word): Words => {
    const [name, inline] = splitAtEquals(word)
    const said = command.words === 'update' || command.words === 'add' ? attribute(word, command) : undefined
    if (said) return said
    if (!name.startsWith('-') || name === '-' || name === '--') return [word]
    if (flagNamed(name, command) || name.slice(2) in commonFlags) return [word]
    const near = flagForText(name, command) ?? nearFlag(name, command)
    return near === undefined ? [word] : [inline === undefined ? near : `${near}=${inline}`]
  })

/** Returns this command's flag for a long text. The tool gh calls that flag `body`. */
const flagForText = (name: string, command: Command): string | undefined =>
  name === '-b' || name === '--body' || name === '--message'
    ? ['--description', '--text', '--reason'].find((each) => flagNamed(each, command))
    : undefined

/** Reads the attributes of Taskwarrior: `priority:H` and `+label`. */
const attribute = (word: string, command: Command): Words | undefined => {
  const priority = /^pri(?:ority)?:([hml])/i.exec(word)?.[1]?.toLowerCase()
  if (priority) return ['--priority', { h: 'high', m: 'medium', l: 'low' }[priority]!]
  const label = /^\+([\w-]+)$/.exec(word)?.[1]
  return label === undefined ? undefined : [command.words === 'add' ? '--labels' : '--add-labels', label]
}

/** Joins surplus words to the text before them: the title in `add Fix the form` is `Fix the form`. */
const joinedText = (command: Command, rest: Words): Words => {
  const places = command.flags.filter(({ at }) => at !== undefined)
  const target = places.at(-1)
  const reason = command.flags.find(({ key, required }) => key === 'reason' && required)
  const end = rest.findIndex((word) => word.startsWith('-'))
  const words = end < 0 ? rest : rest.slice(0, end)
  const others = end < 0 ? [] : rest.slice(end)
  if (reason && !rest.includes(reason.name)) {
    const ids = words.filter((word) => parseTaskId(word))
    const text = words.slice(ids.length).join(' ')
    return text ? [...ids, reason.name, text, ...others] : rest
  }
  if (!target || !isText(target) || words.length <= places.length) return rest
  return [...words.slice(0, places.length - 1), words.slice(places.length - 1).join(' '), ...others]
}

const isText = ({ kind, key, rest }: Flag): boolean =>
  kind === 'text' && !rest && ['title', 'text', 'query', 'note'].includes(key)

/** Adds `…` for a missing reason or text, if the id is given. */
const filledIn = (command: Command, rest: Words): Words => {
  const missing = parseArgs(rest, command).problems
  if (missing.length !== 1 || !rest.some((word) => parseTaskId(word))) return rest
  const flag = command.flags.find(({ key, required }) => required && key === missing[0]!.path)
  if (flag?.kind !== 'text' || !['reason', 'text'].includes(flag.key)) return rest
  return flag.at === undefined ? [...rest, flag.name, blank] : [...rest, blank]
}
