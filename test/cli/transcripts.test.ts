import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allWords } from '../../src/operation/commands.ts'
import { findCommand, parseArgs } from '../../src/surface/cli/args.ts'
import { executable, node } from '../support/cleo.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { shellWords } from '../support/shell-words.ts'
import {
  normalised,
  parseTranscript,
  printSection,
  printTranscript,
  runTranscript,
  type Section,
  type Step,
} from '../support/transcript.ts'

const root = join(import.meta.dirname, '..', '..')
/** The pages whose console sessions are run. */
const pages = ['README.md', 'docs/guide/coming-from-the-old-protocol.md']
const update = process.env['UPDATE'] === '1'

interface Session {
  name: string
  sections: Section[]
  env: Record<string, string>
}

/** The golden of all help: it has a section for every command there is, so it is written anew, not only its answers. */
const helpGolden = 'help.txt'
const helpCommands = () => ['cleo', 'cleo help', ...allWords().map((words) => `cleo ${words} --help`)]
const helpSections = (): Section[] => [
  {
    heading: ['# [OPS-1] help describes every command and its flags'],
    steps: helpCommands().map((command) => ({ lines: [`$ ${command}`], output: [] })),
  },
]

const transcripts: Session[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => {
    const written = parseTranscript(readFileSync(join(import.meta.dirname, name), 'utf8'))
    return { name, sections: update && name === helpGolden ? helpSections() : written, env: {} }
  })

/** The sessions people see in a page; one that starts with `cleo init` starts in a new folder. */
const sessionsOf = (page: string): Session[] => {
  const sessions: Session[] = []
  for (const [, block] of readFileSync(join(root, page), 'utf8').matchAll(/^```console\n(.*?)^```/gms)) {
    const sections = parseTranscript(block!)
    const first = sections[0]?.steps[0]?.lines[0]
    if (sessions.length === 0 || first?.startsWith('$ cleo init')) {
      sessions.push({ name: `${page} session ${sessions.length + 1}`, sections: [], env: {} })
    }
    sessions.at(-1)!.sections.push(...sections)
  }
  return sessions
}

type StoreName = 'sqlite' | 'postgres'

/** Sessions that run on one store, and why; all others run on both. */
const onSqliteAlone: Record<string, string> = {
  'help.txt': 'help opens no store',
  'usage.txt': 'nothing of it gets as far as a store',
  'project.txt': 'it looks at the files of a project',
  'focus.txt': 'it writes the whole configuration to shorten a lease, and the id of the project with it',
  'doctor.txt': 'it spoils the configuration and puts another one there',
  'config.txt': 'it shows and writes the whole configuration, and the id of the project with it',
  'trust.txt': 'it writes the whole configuration, and the id of the project with it',
}

/**
 * The executable runs a session on every store; Node runs it on one, in turns. Both are built from the same sources, and
 * the operations are tested on Node and every store by their own tests: here Node proves that the bundle has all commands.
 */
const places = (name: string, turn: number) => {
  const stores = (['sqlite', 'postgres'] as const).filter(
    (store) => store === 'sqlite' || !(name in onSqliteAlone),
  )
  return [
    ...stores.map((store) => ({ runtime: executable, store })),
    { runtime: node, store: stores[turn % stores.length]! },
  ]
}

const storeEnv = async (store: StoreName): Promise<Record<string, string>> =>
  store === 'sqlite' ? {} : { CLEO_DATABASE_URL: await postgresDatabase() }

// All sessions are under way from the start, as many at once as there are cores: the tests only compare.
let free = availableParallelism()
const waiting: (() => void)[] = []
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (free > 0) free--
  else await new Promise<void>((turn) => waiting.push(turn))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

const stepsOf = (sessions: readonly Session[]): Step[] =>
  sessions.flatMap(({ sections }) => sections.flatMap(({ steps }) => steps))

/** What an answer says to run next, for people and for programs. */
const fixesOf = ({ output }: Step): string[] =>
  output.flatMap((line) => [
    ...[...line.matchAll(/^ +(?:fix|then): (.*)$/g)].map(([, fix]) => fix!),
    ...[...line.matchAll(/"(?:fix|then)":("(?:[^"\\]|\\.)*")/g)].map(([, fix]) => JSON.parse(fix!) as string),
  ])

const fixesIn = (sessions: readonly Session[]): Set<string> => new Set(stepsOf(sessions).flatMap(fixesOf))

const titleOf = ({ heading, steps }: Section): string =>
  heading[0]?.slice(2) ?? steps[0]?.lines[0] ?? 'nothing'

if (update) {
  test('the expectations are written again', async () => {
    for (const { name, sections, env } of transcripts) {
      const ran = await runTranscript(sections, executable, env)
      writeFileSync(join(import.meta.dirname, name), printTranscript(ran))
    }
  })
} else {
  for (const [turn, { name, sections, env }] of [...transcripts, ...pages.flatMap(sessionsOf)].entries()) {
    const expected = normalised(sections)
    for (const { runtime, store } of places(name, turn)) {
      const session = inTurn(async () =>
        runTranscript(expected, runtime, { ...env, ...(await storeEnv(store)) }),
      )
      session.catch(() => 'said by the tests that wait for it')
      describe(`${name} on ${runtime.name} and ${store}`, () => {
        for (const [i, section] of expected.entries()) {
          test(titleOf(section), async () => {
            expect(printSection((await session)[i]!)).toBe(printSection(section))
          })
        }
      })
    }
  }

  test('[OUT-2] every fix names an existing command and flags, and none destroys anything', () => {
    const destructive = ['cancel', 'restore', 'import', 'untrust', 'db move', 'session end', 'focus clear']
    // A fix may also say what to correct, list, or commit, before it names a command of CLEO.
    const isSafe = (words: string) =>
      /^(git (-C \S+ )?(add -A|commit|worktree list)|ls -l|mkdir|cd) ?/.test(words)
    const commands = [...fixesIn(transcripts)].map((fix) => fix.split(', then: ').at(-1)!)
    const parts = commands.flatMap((fix) => (/^(git|mkdir) /.test(fix) ? fix.split(' && ') : [fix]))
    const wrong = parts.filter((fix) => {
      if (isSafe(fix)) return false
      const { command, path, rest } = findCommand(shellWords(fix).slice(1))
      if (!command) return path === '' && rest.join() !== 'help'
      const safe = !destructive.includes(command.words) || rest.includes('--list') || rest.includes('--help')
      return !safe || parseArgs(rest, command).problems.length > 0
    })
    expect(wrong.filter((fix) => !fix.endsWith('--help'))).toEqual([])
    expect(fixesIn(transcripts).size).toBeGreaterThan(20)
  })

  test('[OUT-2] no fix repeats the refused command, and each fix for a spawn carries its id', () => {
    const wrong = stepsOf(transcripts).flatMap((step) => {
      const line = step.lines.join(' ').slice(2)
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
    const { sections } = transcripts.find(({ name }) => name === helpGolden)!
    const shown = sections.flatMap(({ steps }) => steps.map(({ lines }) => lines[0]!.slice(2)))
    expect(shown, 'run UPDATE=1 npx vitest run test/cli').toEqual(helpCommands())
  })
}
