import { parseTaskId } from '../../kernel/task-id.ts'
import { commandAt, flagNamed } from '../../operation/commands.ts'
import { statusCommand } from './corrected-command.ts'
import { dependencyWords } from './near-flag.ts'

type Words = readonly string[]

/**
 * Command lines of other tools (gh, git, jira, Taskwarrior, Beads, Task Master), by their first words. Each function
 * returns the arguments of `cleo` with the same meaning. Phrases of two words are tried before phrases of one word.
 */
const phrases: Record<string, (rest: Words) => Words | undefined> = {
  issue: (rest) => rest,
  task: (rest) => rest,
  ticket: (rest) => rest,
  item: (rest) => rest,
  'todo add': (rest) => ['add', ...rest],
  'todo list': (rest) => ['list', ...rest],
  'create task': (rest) => ['add', ...rest],
  'create issue': (rest) => ['add', ...rest],
  'create epic': (rest) => ['add', ...rest, '--type', 'epic'],
  'new task': (rest) => ['add', ...rest],
  'new issue': (rest) => ['add', ...rest],
  'new epic': (rest) => ['add', ...rest, '--type', 'epic'],
  plan: ([file = '', ...rest]) => (file.endsWith('.md') ? ['add', '--from', file, ...rest] : undefined),
  burndown: () => ['status'],
  set: ([id = '', field = '', ...value]) =>
    parseTaskId(id) && value.length > 0 ? ['update', id, `--${field}`, value.join(' ')] : undefined,
  'epic list': (rest) => ['list', '--type', 'epic', ...rest],
  'epic create': (rest) => ['add', ...rest, '--type', 'epic'],
  'epic add': (rest) => ['add', ...rest, '--type', 'epic'],
  'epic new': (rest) => ['add', ...rest, '--type', 'epic'],
  'epic status': (rest) => ['status', ...rest],
  'epic show': (rest) => ['show', ...rest],
  epics: (rest) => ['list', '--type', 'epic', ...rest],
  'subtask add': ([parent, ...title]) => addBelow(parent, title),
  'subtask create': ([parent, ...title]) => addBelow(parent, title),
  subtask: ([parent, ...title]) => addBelow(parent, title),
  'add-subtask': (rest) => ['add', ...rest],
  'add-task': (rest) => ['add', ...renamed(rest, 'prompt', 'title')],
  'update-task': (rest) => ['update', ...renamed(rest, 'prompt', 'description')],
  'parse-prd': (rest) => ['add', '--from', ...renamed(rest, 'input', 'from').slice(-1)],
  expand: ([parent]) => addBelow(parent, ['…']),
  split: ([parent]) => addBelow(parent, ['…']),
  decompose: ([parent]) => addBelow(parent, ['…']),
  breakdown: ([parent]) => addBelow(parent, ['…']),
  'analyze-complexity': () => ['analyze'],
  'validate-dependencies': () => ['doctor'],
  'dep add': listIn('--add-depends'),
  'dep rm': listIn('--remove-depends'),
  'dep remove': listIn('--remove-depends'),
  'dep tree': (rest) => ['deps', ...rest],
  'dep list': (rest) => ['deps', ...rest],
  'deps add': listIn('--add-depends'),
  'deps rm': listIn('--remove-depends'),
  'deps remove': listIn('--remove-depends'),
  dep: (rest) => ['deps', ...rest],
  'add-dependency': (rest) => ['update', ...renamed(rest, 'depends-on', 'add-depends')],
  'remove-dependency': (rest) => ['update', ...renamed(rest, 'depends-on', 'remove-depends')],
  'label add': listIn('--add-labels'),
  'label rm': listIn('--remove-labels'),
  'label remove': listIn('--remove-labels'),
  'label list': () => ['list', '--label', '…'],
  blocked: (rest) => ['list', '--status', 'blocked', ...rest],
  active: (rest) => ['list', '--status', 'active', ...rest],
  completed: (rest) => ['list', '--status', 'done', ...rest],
  mine: (rest) => ['list', '--mine', ...rest],
  all: (rest) => ['list', '--all', ...rest],
  history: (rest) => ['log', ...rest],
  blame: (rest) => ['log', ...rest],
  reflog: (rest) => ['log', ...rest],
  logs: (rest) => (rest[0]?.includes('.') ? ['run', 'logs', ...rest] : ['log', ...rest]),
  tail: () => ['watch'],
  follow: () => ['watch'],
  monitor: () => ['watch'],
  switch: (rest) => ['focus', 'set', ...rest],
  me: () => ['focus', 'show'],
  commit: (rest) => ['finish', ...rest],
  'pr create': (rest) => ['land', ...rest],
  'pr merge': (rest) => ['land', ...rest],
  who: peopleOrTask,
  workers: peopleOrTask,
  worker: peopleOrTask,
  working: peopleOrTask,
  busy: peopleOrTask,
  running: peopleOrTask,
  team: peopleOrTask,
  assignee: peopleOrTask,
  assignees: peopleOrTask,
  owner: peopleOrTask,
  owners: peopleOrTask,
  found: whatAgentsFound,
  finding: whatAgentsFound,
  findings: whatAgentsFound,
  result: whatAgentsFound,
  results: whatAgentsFound,
  outcome: whatAgentsFound,
  deliverable: whatAgentsFound,
  deliverables: whatAgentsFound,
  artifact: whatAgentsFound,
  artifacts: whatAgentsFound,
  outputs: whatAgentsFound,
  output: newestEntry,
  'output show': whatAgentsFound,
  'output list': whatAgentsFound,
  manifest: newestEntry,
  report: stateOf,
  summary: stateOf,
  progress: stateOf,
  stats: stateOf,
  before: ([first = '', second = '', ...rest]) =>
    isTask([second]) ? dependsOn([second, first, ...rest]) : undefined,
  blocks: ([first = '', second = '', ...rest]) =>
    isTask([second]) ? dependsOn([second, first, ...rest]) : undefined,
  depends: dependsOn,
  'pr list': () => ['worktree', 'list'],
  branch: () => ['worktree', 'list'],
  branches: () => ['worktree', 'list'],
  count: () => ['status'],
  comments: (rest) => ['show', ...rest],
  redo: () => ['log'],
  back: () => ['undo'],
  undelete: (rest) => ['reopen', ...rest],
  unarchive: (rest) => ['reopen', ...rest],
  recover: (rest) => (isTask(rest) ? ['reopen', ...rest] : ['restore', '--list']),
  man: () => ['help'],
  docs: () => ['help'],
  tutorial: () => ['quickstart'],
  onboard: () => ['quickstart'],
  example: () => ['quickstart'],
  guide: () => ['quickstart'],
  'config edit': () => ['config', 'path'],
  config: ([key = '', ...value]) =>
    key.includes('.') ? ['config', value.length > 0 ? 'set' : 'get', key, ...value] : undefined,
  focus: ([id = '', ...rest]) => (parseTaskId(id) ? ['focus', 'set', id, ...rest] : undefined),
  skill: (rest) => ['skills', ...rest],
  sessions: (rest) => ['session', 'list', ...rest],
  runs: (rest) => ['run', 'list', ...rest],
  'set-status': givesStatus,
  transition: givesStatus,
}

/**
 * Words for which CLEO suggests no command, because the command with the most similar name would do something
 * unrelated.
 */
export const unrelated: readonly string[] = [
  ...['auth', 'clone', 'fetch', 'login', 'logout', 'pull', 'rebase', 'reset', 'serve', 'stash'],
  ...['labels', 'tags', 'users', 'web', 'ui', 'browse'],
]

/** Undefined if no phrase fits. */
export const asPhrase = ([first = '', second = '', ...rest]: Words): Words | undefined => {
  const both = `${first} ${second}`
  if (Object.hasOwn(phrases, both)) return phrases[both]!(rest)
  const after = second === '' ? rest : [second, ...rest]
  if (Object.hasOwn(phrases, first)) return phrases[first]!(after)
  return dependencyWords.includes(first) ? dependsOn(after) : fieldOf(first, after)
}

const isTask = ([id]: Words): boolean => id !== undefined && parseTaskId(id) !== undefined

function peopleOrTask(rest: Words): Words {
  return isTask(rest) ? ['show', ...rest] : ['board']
}

/**
 * Shows what agents found. With a task id, shows the newest entry of this task. Without words, lists all entries. Any
 * other words are a search.
 */
function whatAgentsFound(rest: Words): Words | undefined {
  return newestEntry(rest) ?? ['manifest', 'find', ...rest]
}

function newestEntry(rest: Words): Words | undefined {
  if (isTask(rest)) return ['manifest', 'show', rest[0]!]
  return rest.every((word) => word.startsWith('-')) ? ['manifest', 'list', ...rest] : undefined
}

/** For a task, uses `show`, because `status` takes only epics. */
function stateOf(rest: Words): Words {
  return [isTask(rest) ? 'show' : 'status', ...rest]
}

/**
 * Reads `depends T006 T004`, `depend T006 on T004` and `after T006 --on T004`. They mean that the first task
 * depends on the others. With one task, shows what this task depends on.
 */
function dependsOn(rest: Words): Words | undefined {
  const words = rest.filter((word) => !dependencyWords.includes(word.replace(/^--/, '')))
  const ids = words.flatMap((word) => word.split(',')).filter((word) => parseTaskId(word))
  const flags = words.filter((word) => word.startsWith('-'))
  const [id, ...others] = ids
  if (id === undefined) return undefined
  if (others.length === 0) return ['deps', id, ...flags]
  return ['update', id, '--add-depends', others.join(','), ...flags]
}

/** Reads a phrase that begins with the name of a field, such as `title T006 "A new title"`. */
const fieldOf = (word: string, [id = '', ...rest]: Words): Words | undefined => {
  const update = commandAt('update')!
  const name = `--${otherFields[word] ?? word}`
  const flag = flagNamed(name, update)
  // `parent T003 T001` is not handled here: `mv` lists the word `parent` in its `suggestedFor`.
  if (!flag || flag.at !== undefined || flag.key === 'parent' || !parseTaskId(id)) return undefined
  const [text, flags] = beforeFlags(rest)
  const value = text.join(flag.kind === 'list' ? ',' : ' ') || '…'
  const adding = `--add-${name.slice(2)}`
  return ['update', id, flagNamed(adding, update) ? adding : name, value, ...flags]
}

const otherFields: Record<string, string> = {
  name: 'title',
  desc: 'description',
  body: 'description',
  file: 'files',
  criterion: 'acceptance',
  criteria: 'acceptance',
}

function listIn(flag: string) {
  return (rest: Words): Words => {
    const [[id = '', ...others], flags] = beforeFlags(rest)
    return ['update', id, flag, others.join(','), ...flags]
  }
}

const addBelow = (parent: string | undefined, rest: Words): Words | undefined => {
  const [title, flags] = beforeFlags(rest)
  return parent && parseTaskId(parent)
    ? ['add', title.join(' '), '--parent', parseTaskId(parent)!, ...flags]
    : undefined
}

const beforeFlags = (words: Words): [Words, Words] => {
  const at = words.findIndex((word) => word.startsWith('-'))
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at)]
}

const renamed = (words: Words, from: string, to: string): Words =>
  words.map((word) => (word === `--${from}` ? `--${to}` : word.replace(`--${from}=`, `--${to}=`)))

function givesStatus(rest: Words): Words {
  const [id, status] = ['id', 'status'].map(
    (name, i) => rest.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? rest[i] ?? '',
  )
  return statusCommand(id!, status!) ?? ['update', ...rest]
}
