import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allWords, findCommand } from '../../src/operation/commands.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import { executable, node } from '../support/cleo.ts'
import {
  compare,
  type Session,
  sessionsOfPages,
  teamOf,
  transcriptFolder,
  transcripts,
  usualStoresOf,
} from '../support/sessions.ts'
import { shellWords } from '../support/shell-words.ts'
import { commandOf, printTranscript, runTranscript, type Section, type Step } from '../support/transcript.ts'

/**
 * The golden file of all help has a section for every command. So UPDATE=1 writes the whole file again; in other
 * files, it replaces only the answers.
 */
const helpGolden = 'help.txt'
const helpCommands = () => ['cleo', 'cleo help', ...allWords().map((words) => `cleo ${words} --help`)]
const helpSections = (): Section[] => [
  {
    heading: ['# [OPS-1] help describes every command and its flags'],
    steps: helpCommands().map((command) => ({ lines: [`$ ${command}`], output: [] })),
  },
]

/**
 * The sessions that also run on Node, each with what it tests there. The other sessions run on Node only in `npm run
 * test:long`, because a command takes four times as long on Node. The tests of the operations run on Node anyway, and
 * test/library.test.ts loads every operation of the built bundle.
 */
const onNode: Record<string, string> = {
  'batch.txt': 'standard input, from a file and from a block',
  'first-session.txt': 'the commands of a first session',
  'finish.txt': 'git, files, links and progress',
  'baseline.txt': 'tools that are run and stopped',
}

const written = transcripts()

const stepsOf = (sessions: readonly Session[]): Step[] =>
  sessions.flatMap(({ sections }) => sections.flatMap(({ steps }) => steps))

/**
 * Returns the commands that an answer says to run next. The answer is printed either for people or for programs.
 */
const fixesOf = ({ output }: Step): string[] =>
  output.flatMap((line) => [
    ...[...line.matchAll(/^ +(?:fix|then): (.*)$/g)].map(([, fix]) => fix!),
    ...[...line.matchAll(/"(?:fix|then)":("(?:[^"\\]|\\.)*")/g)].map(([, fix]) => JSON.parse(fix!) as string),
  ])

const fixesIn = (sessions: readonly Session[]): Set<string> => new Set(stepsOf(sessions).flatMap(fixesOf))

if (process.env['UPDATE'] === '1') {
  test('the expectations are written again', async () => {
    for (const session of written) {
      const { name } = session
      const sections = name === helpGolden ? helpSections() : session.sections
      const ran = await runTranscript(sections, executable, {}, await teamOf(session))
      writeFileSync(join(transcriptFolder, name), printTranscript(ran))
    }
  })
} else {
  for (const session of [...written, ...sessionsOfPages()])
    for (const store of usualStoresOf(session)) compare(session, executable, store)
  for (const session of written)
    if (session.name in onNode) compare(session, node, usualStoresOf(session).at(-1)!)

  test('[OUT-2] every fix names an existing command and flags, and none destroys anything', () => {
    const destructive = ['cancel', 'restore', 'import', 'untrust', 'db move', 'session end']
    // A fix can tell the user to correct, list or commit something before it names a command of CLEO.
    const isSafe = (words: string) =>
      /^(git (-C \S+ )?(add -A|commit|revert --no-edit|worktree list)|ls -l|mkdir|cd) ?/.test(words)
    const commands = [...fixesIn(written)].map((fix) => fix.split(', then: ').at(-1)!)
    const parts = commands.flatMap((fix) => fix.split(/^(git|mkdir) /.test(fix) ? ' && ' : / && (?=cleo )/))
    const wrong = parts.filter((fix) => {
      if (isSafe(fix)) return false
      const { command, path, rest } = findCommand(shellWords(fix).slice(1))
      if (!command) return path === '' && !/^help(?: (?:flags|removing))?$/.test(rest.join(' '))
      // A `cancel` with `…` in place of the reason is safe, because CLEO refuses it until somebody writes a reason.
      const isUnready = ['--list', '--help', '…'].some((word) => rest.includes(word))
      const safe = !destructive.includes(command.words) || isUnready
      return !safe || parseArgs(rest, command).problems.length > 0
    })
    expect(wrong.filter((fix) => !fix.endsWith('--help'))).toEqual([])
    expect(fixesIn(written).size).toBeGreaterThan(20)
  })

  test('[OUT-2] no fix repeats the refused command, and each fix for a spawn carries its id', () => {
    const wrong = stepsOf(written).flatMap((step) => {
      const line = commandOf(step)
      const spawn = /--as[ =](T\d+\.\d+)/.exec(line)?.[1]
      return fixesOf(step)
        .filter(
          (fix) => fix === line || (spawn && /^cleo (?!.*(--as |--help$))/.test(fix) && fix !== 'cleo help'),
        )
        .map((fix) => `${line} → ${fix}`)
    })
    expect(wrong).toEqual([])
  })

  test('[OPS-1] the golden of all help leaves no command out', () => {
    const { sections } = written.find(({ name }) => name === helpGolden)!
    const shown = sections.flatMap(({ steps }) => steps.map(({ lines }) => lines[0]!.slice(2)))
    expect(shown, 'run UPDATE=1 npx vitest run test/cli').toEqual(helpCommands())
  })
}
