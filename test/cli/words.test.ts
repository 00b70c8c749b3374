import { expect, test } from 'vitest'
import { allCommands, findCommand, flagNamed } from '../../src/operation/commands.ts'
import { helpTable } from '../../src/operation/generated/command-help.ts'
import { commonLetterOf, lettersOf, ownLetters } from '../../src/operation/short-flags.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import { correctedCommand } from '../../src/surface/cli/corrected-command.ts'
import { usageProblem } from '../../src/surface/cli/usage-problem.ts'
import { shellWords } from '../support/shell-words.ts'

/** The words that people type for each command. A word after an equals sign is another name of the command. */
const meant: Record<string, string> = {
  add: 'create new insert make epic subtask',
  analyze: 'graph plan waves estimate',
  block: 'hold suspend',
  cancel: 'delete del remove abandon abort discard archive =rm',
  complete: 'close resolve check tick =done',
  deps: 'depends depend needs depends-on after dependencies blockers why',
  doctor: 'health repair fsck',
  edit: 'vi vim nano',
  export: 'dump',
  find: 'search grep query lookup',
  finish: 'submit deliver =finish',
  'focus clear': 'release unassign pause stop drop unclaim giveup give-up halt kill',
  'focus set': 'begin claim take work assign pick grab',
  'focus show': 'whoami current',
  inbox: 'questions ask',
  land: 'merge push ship pr',
  list: 'todo todos issues backlog tickets =ls',
  log: 'history audit activity events =log',
  'memory observe': 'remember learn',
  mv: 'parent reparent under =move',
  note: 'comment annotate reply',
  ready: 'queue available',
  receive: 'accept approve review',
  reopen: 'undone uncomplete',
  respawn: 'retry rerun restart',
  'manifest show': 'result results finding findings found',
  show: 'get view cat open info read display inspect report summary progress stats who workers',
  spawn: 'delegate launch exec',
  start: '=start',
  status: 'st dashboard',
  tree: 'children subtasks hierarchy',
  trust: 'allow',
  undo: 'revert rollback',
  update: 'set modify change rename tag label untag link unlink prioritize priority resize',
  verify: 'prove test evidence',
  'worktree prune': 'clean cleanup gc',
}

const cases = Object.entries(meant).flatMap(([command, words]) =>
  words.split(' ').map((word): [string, string] => [word, command]),
)

test.each(cases)('[OPS-1] %s means %s', (word, command) => {
  if (word.startsWith('=')) {
    expect(findCommand([word.slice(1)]).command?.words).toBe(command)
    return
  }
  const found = findCommand([word, 'T012'])
  expect(found.command).toBeUndefined()
  expect(usageProblem(found)?.message).toBe(`Unknown command "${word}". Did you mean "${command}"?`)
})

test('[OPS-1] no word is suggested for two commands, and none of them is a command', () => {
  const words = Object.values(helpTable).flatMap(({ suggestedFor = [] }) =>
    suggestedFor.map((each) => each.split(' ')[0]!),
  )
  expect(words.toSorted().filter((word, i, all) => word === all[i - 1])).toEqual([])
  expect(words.filter((word) => findCommand([word]).command)).toEqual([])
})

test('[OPS-1] a suggestion for a word with two arguments names the flag that takes the second', () => {
  const fixOf = (...argv: string[]) => usageProblem(findCommand(argv))?.fix
  expect(fixOf('rename', 'T012', 'A new name')).toBe("cleo update T012 --title 'A new name'")
  expect(fixOf('depend', 'T012', 'T009')).toBe('cleo update T012 --add-depends T009')
  expect(fixOf('untag', 'T012', 'draft')).toBe('cleo update T012 --remove-labels draft')
  expect(fixOf('prioritize', 'T012', 'high')).toBe('cleo update T012 --priority high')
  expect(fixOf('view', 'T012', 'T013')).toBe('cleo show T012 T013')
  // A fix never contains a `cancel` that is ready to run. The user has to write the reason.
  expect(fixOf('delete', 'T012', '--reason', 'x')).toBe('cleo cancel T012 --reason "…"')
})

/**
 * Whole command lines in the words of gh, git, jira, Taskwarrior, Beads and Task Master, each with the line that CLEO
 * prints as fix.
 */
const lines: Record<string, string> = {
  'issue list': 'list',
  'issue create --title Form': 'add --title Form',
  'issue view 2': 'show 2',
  'issue comment T002 -b hello': 'note T002 --text hello',
  'issue move T002 "In Progress"': 'focus set T002',
  'task add Form': 'add Form',
  'epic list': 'list --type epic',
  'epic create Payments': 'add Payments --type epic',
  epics: 'list --type epic',
  'subtask add T002 part': 'add part --parent T002',
  'dep add T003 T002': 'update T003 --add-depends T002',
  'dep remove T003 T002': 'update T003 --remove-depends T002',
  'dep tree T003': 'deps T003',
  'add-dependency --id=3 --depends-on=2': 'update --id=3 --add-depends=2',
  'label add T002 ui': 'update T002 --add-labels ui',
  'parse-prd prd.txt': 'add --from prd.txt',
  'add-task --prompt=Form': 'add --title=Form',
  'expand T002': 'add "…" --parent T002',
  '2 done': 'complete T002',
  'T002 modify priority:H': 'update T002 --priority high',
  'T002 annotate hello': 'note T002 hello',
  blocked: 'list --status blocked',
  completed: 'list --status done',
  mine: 'list --mine',
  'history T002': 'log T002',
  tail: 'watch',
  docs: 'help',
  tutorial: 'quickstart',
  branch: 'worktree list',
  'config commands.test': 'config get commands.test',
  "config commands.test 'npm test'": "config set commands.test 'npm test'",
  'focus T003': 'focus set T003',
  'set-status T002 in-progress': 'focus set T002',
  'set-status --id=2 --status=done': 'complete 2',
  'delete T004': 'cancel T004 --reason "…"',
  'abandon T004': 'cancel T004 --reason "…"',
  abandon: 'cancel --help',
  who: 'board',
  workers: 'board',
  'who T002': 'show T002',
  findings: 'manifest list',
  results: 'manifest list',
  output: 'manifest list',
  'result T002': 'manifest show T002',
  'found T002': 'manifest show T002',
  'findings login': 'manifest find login',
  'manifest T002': 'manifest show T002',
  'manifest lst': 'manifest list',
  'output T002': 'manifest show T002',
  'report T002': 'show T002',
  report: 'status',
  'drop T002': 'focus clear T002',
  'give up T002': 'focus clear T002',
  giveup: 'focus clear --help',
  stop: 'run stop',
  'stop --all': 'run stop',
  'kill agents': 'run stop',
  quit: 'run stop',
  shutdown: 'run stop',
  'stop T002': 'focus clear T002',
  'stop t2.1': 'focus clear T002 --as T002.1',
  'stop run r001': 'run stop R001',
  uninstall: 'help removing',
  deinit: 'help removing',
  purge: 'help removing',
  destroy: 'help removing',
  'purge T002': 'cancel T002 --reason "…"',
  remove: 'cancel --help',
  'title T002 "A new name"': "update T002 --title 'A new name'",
  'T002 title A new name': "update T002 --title 'A new name'",
  'title T002': 'update T002 --title "…"',
  'files T002 src/a.ts src/b.ts': 'update T002 --add-files src/a.ts,src/b.ts',
  'depends T003 T002': 'update T003 --add-depends T002',
  'depend T003 on T002': 'update T003 --add-depends T002',
  'depends T003 --after T002,T004': 'update T003 --add-depends T002,T004',
  'after T003 T002': 'update T003 --add-depends T002',
  'before T002 T003': 'update T003 --add-depends T002',
  'blocks T002 T003': 'update T003 --add-depends T002',
  'needs T003': 'deps T003',
  back: 'undo',
  'undelete T002': 'reopen T002 --reason "…"',
  // `run resume` starts agents, so it is not suggested for a word that only resembles it. The fix is its help
  // instead.
  'resum T002': 'run resume --help',
  'undone T004': 'reopen T004 --reason "…"',
  'skill list': 'skills list',
  'close T002 T003': 'complete T002 T003',
  'close T002 --reason fixed': 'complete T002',
  'create task Form': 'add Form',
  'create issue Form -l ui': 'add Form -l ui',
  'new epic Payments': 'add Payments --type epic',
  'todo add Form': 'add Form',
  'todo list': 'list',
  'plan plan.md': 'add --from plan.md',
  'set T002 priority high': 'update T002 --priority high',
  'dep add T003 T002 --json': 'update T003 --add-depends T002 --json',
  'subtask add T002 part -p high': 'add part --parent T002 -p high',
  'label add T002 ui bug': 'update T002 --add-labels ui,bug',
  'logs T002.1': 'run logs T002.1',
  'logs T002': 'log T002',
  burndown: 'status',
}

test.each(Object.entries(lines))('[OPS-1] cleo %s: the fix is cleo %s', (given, meant) => {
  expect(usageProblem(findCommand(shellWords(given)))?.fix).toBe(`cleo ${meant}`)
})

/** Lines with flags or words that the command does not take, each with its corrected line. */
const corrected: Record<string, string | undefined> = {
  'add -f plan.md': 'add --from plan.md',
  'add --file plan.md --dry-run': 'add --dry-run --from plan.md',
  'add Form --file src/form.ts': 'add Form --files src/form.ts',
  'doctor --repair': 'doctor --fix',
  'list --state open': 'list',
  'list --state closed': 'list --status done,cancelled',
  'list --status in_progress': 'list --status active',
  'list --assignee @me': 'list --mine',
  'list --search form': 'find form',
  'list --json id,title': 'list --json --fields id,title',
  'list done': 'list --status done',
  'list epic': 'list --type epic',
  'list form': 'find form',
  'show Form': 'find Form',
  'add Fix the login page': "add 'Fix the login page'",
  'add Form +ui priority:H': 'add Form --labels ui --priority high',
  'add Form --tag ui --body text': 'add Form --labels ui --description text',
  'add Form -b text': 'add Form --description text',
  'note T003 hello world': "note T003 'hello world'",
  'note T003': 'note T003 "…"',
  'block T003 waits for mail': "block T003 --reason 'waits for mail'",
  'reopen T003': 'reopen T003 --reason "…"',
  'update T003 --done': 'complete T003',
  'update T003 --claim': 'focus set T003',
  'update T003 --blocked-by T002': 'update T003 --add-depends T002',
  'update T003 --after T002': 'update T003 --add-depends T002',
  'update T003 --tag ui': 'update T003 --add-labels ui',
  'add Form --after T002': 'add Form --depends T002',
  'block T003 --by T002': 'update T003 --add-depends T002',
  'deps T003 --on T002': 'update T003 --add-depends T002',
  'update T003 "A new name"': "update T003 --title 'A new name'",
  'update T003 A new name -p high': "update T003 --title 'A new name' -p high",
  'update T003 high': 'update T003 --priority high',
  'update T003 done': 'complete T003',
  'update T003 description Says more': "update T003 --description 'Says more'",
  'restore T003': 'reopen T003 --reason "…"',
  'run stop T003': 'run stop --task T003',
  'run stop T003.1': 'run stop --task T003',
  'cancel T003': 'cancel T003 --reason "…"',
  'cancel T001 --all': 'cancel T001 --with-children --reason "…"',
  'setup claude --remove': 'setup claude --undo',
  'mv T002 done': 'complete T002',
  'spawn T002 T003 --ref': 'spawn T002 --ref && cleo spawn T003 --ref',
  'log --oneline': 'log',
  'config --get commands.test': 'config get commands.test',
  // CLEO suggests nothing for a line that is right already, or whose meaning it cannot guess.
  list: undefined,
  'ls --format csv': undefined,
  'list --colour': undefined,
  // CLEO never suggests a `cancel` that is ready to run. The user has to write the reason.
  'rm T003 T004': 'cancel T003 T004 --reason "…"',
  'cancel T001 not needed': 'cancel T001 --reason "…"',
  'cancel T001 --reason "…"': undefined,
  'cancel --all': undefined,
}

test.each(Object.entries(corrected))('[OPS-1] cleo %s is corrected to %s', (given, meant) => {
  expect(correctedCommand(shellWords(given))).toBe(meant && `cleo ${meant}`)
})

test('[OUT-2] words of other tools with no counterpart suggest nothing by their letters', () => {
  for (const word of ['login', 'clone', 'stash', 'fetch', 'serve', 'reset'])
    expect(usageProblem(findCommand([word]))).toMatchObject({
      message: `Unknown command "${word}".`,
      fix: 'cleo help',
    })
})

test('[OUT-2] a short word is not compared with words that differ in two letters', () => {
  for (const word of ['edti', 'lsit', 'tere'])
    expect(usageProblem(findCommand([word]))?.message, word).toContain('Did you mean')
  for (const word of ['exec', 'adopt', 'quiz', 'hole', 'mode', 'spin'])
    expect(usageProblem(findCommand([word]))?.message, word).not.toMatch(/mean "(?:edit|help|note|add|undo)"/)
})

test('[OPS-1] words about stopping agents and removing CLEO say what is different from case to case', () => {
  const { alternatives } = usageProblem(findCommand(['stop']))!
  expect(alternatives).toEqual([
    'Agents that no run started: end them in their client, then release each task: cleo focus clear T004 --as T004.1',
    'To see which agent has which task: cleo board',
  ])
  expect(usageProblem(findCommand(['remove']))).toMatchObject({
    fix: 'cleo cancel --help',
    alternatives: ['To remove CLEO from this project: cleo help removing'],
  })
  expect(usageProblem(findCommand(['depends', 'T003', 'T002']))).toMatchObject({
    alternatives: ['--add-depends keeps what is there; --depends replaces it.'],
  })
})

test('[OPS-1] every operation name is a command, with dots and with spaces', () => {
  for (const { operation, words } of allCommands()) {
    expect(findCommand([operation]).command?.words).toBe(words)
    expect(findCommand(operation.split('.')).command?.words).toBe(words)
  }
})

test('[OPS-1] a letter stands for at most one flag of a command', () => {
  const common = ['project', 'help', 'quiet', 'verbose'].map((flag) => commonLetterOf(flag)!)
  expect(common).toEqual(['C', 'h', 'q', 'v'])
  expect(ownLetters().filter(([letter]) => common.includes(letter))).toEqual([])
  for (const command of allCommands()) {
    const letters = command.flags.flatMap((flag) => lettersOf(flag, command))
    expect(new Set(letters).size, command.words).toBe(letters.length)
  }
  // For every letter, some command has the flag that the letter stands for.
  for (const [letter, names] of ownLetters())
    for (const name of names)
      expect(
        allCommands().some(({ flags }) => flags.some(({ key }) => key === name)),
        `-${letter} --${name}`,
      ).toBe(true)
})

const parsed = (...argv: string[]) => {
  const { command, rest } = findCommand(argv)
  return { words: command!.words, ...parseArgs(rest, command!) }
}

test.each<[string[], object]>([
  [
    ['add', 'Form', '-p', 'high', '-l', 'a,b', '-d', 'text'],
    { title: 'Form', priority: 'high', labels: ['a', 'b'], description: 'text' },
  ],
  [
    ['add', 'Form', '-m', 'text', '-phigh', '-t=task'],
    { title: 'Form', description: 'text', priority: 'high', type: 'task' },
  ],
  [['list', '-s', 'done,cancelled', '-n5', '-aq'], { status: ['done', 'cancelled'], limit: 5, all: true }],
  [['cancel', 'T1', '-m', '-n'], { id: 'T1', reason: '-n' }],
  [['note', 'T1', '--', '-n'], { id: 'T1', text: '-n' }],
  [['note', 'T1', '-m', 'text'], { id: 'T1', text: 'text' }],
  [['complete', 'T1', 'T2', 'T3'], { id: 'T1', more: ['T2', 'T3'] }],
  [['complete', 'T1,T2', 'T3'], { id: 'T1', more: ['T2', 'T3'] }],
  [['mv', 'T1', 'T2'], { id: 'T1', to: 'T2' }],
  [['mv', 'T1', 'T2', 'T3', 'T4'], { id: 'T1', more: ['T2', 'T3'], to: 'T4' }],
  [['mv', 'T1', '-'], { id: 'T1', to: '-' }],
])('[OPS-1] %j is read as %j', (argv, input) => {
  expect(parsed(...argv)).toMatchObject({ input, problems: [] })
  expect(Object.keys(parsed(...argv).input).toSorted()).toEqual(Object.keys(input).toSorted())
})

test('[OPS-1] common letters work before and after the command', () => {
  expect(parsed('-q', 'list')).toMatchObject({ words: 'list', common: { quiet: true } })
  expect(parsed('-C', '/tmp', 'session', 'list', '-n', '3')).toMatchObject({
    words: 'session list',
    common: { project: '/tmp' },
    input: { limit: 3 },
  })
  expect(parsed('list', '-v')).toMatchObject({ common: { verbose: true } })
})

test('[OPS-1] an unknown letter, and a value where none is taken, are refused', () => {
  for (const word of ['-x', '-qx', '- item', '-1'])
    expect(parsed('list', word).problems).toMatchObject([{ path: word, message: `Unknown flag ${word}.` }])
  expect(parsed('cancel', 'T1').problems).toMatchObject([
    { path: 'reason', message: '--reason is missing: why the task is cancelled.' },
  ])
  expect(parsed('mv', 'T1').problems).toMatchObject([{ path: 'to', message: '<to> is missing.' }])
  expect(flagNamed('--reason', findCommand(['rm']).command!)?.required).toBe(true)
})
