import { expect, test } from 'vitest'
import { allCommands, findCommand, flagNamed } from '../../src/operation/commands.ts'
import { commonLetterOf, lettersOf, ownLetters } from '../../src/operation/short-flags.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import { usageProblem } from '../../src/surface/cli/usage-problem.ts'

/** What people type, and the command they mean. An equals sign: the word itself is a command. */
const meant: Record<string, string> = {
  add: 'create new insert make epic subtask',
  analyze: 'graph plan waves estimate',
  block: 'hold suspend',
  cancel: 'delete del remove abandon abort discard archive =rm',
  complete: 'close resolve check tick =done',
  deps: 'depends dependencies blockers why',
  doctor: 'health repair fsck',
  edit: 'vi vim nano',
  export: 'dump',
  find: 'search grep query lookup',
  finish: 'submit deliver =finish',
  'focus clear': 'release unassign pause stop',
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
  show: 'get view cat open info read display inspect',
  spawn: 'delegate launch exec',
  start: '=start',
  status: 'st stats summary dashboard report progress',
  tree: 'children subtasks hierarchy',
  trust: 'allow',
  undo: 'revert rollback',
  update:
    'set modify change rename tag label untag depend depends-on needs link unlink prioritize priority resize',
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
  const words = allCommands().flatMap(({ suggestedFor = [] }) =>
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
  // Nothing that cannot be undone is printed ready to run.
  expect(fixOf('delete', 'T012', '--reason', 'x')).toBe('cleo cancel --help')
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
  // Every letter is of use in some command.
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
