import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allWords } from '../../src/ops/commands.ts'
import { executable, runtimes } from '../support/cleo.ts'
import {
  normalised,
  parseTranscript,
  printSection,
  printTranscript,
  runTranscript,
  type Section,
} from '../support/transcript.ts'

const readme = join(import.meta.dirname, '..', '..', 'README.md')
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
    heading: ['# [OPS-1] help says what every command does and takes'],
    steps: helpCommands().map((command) => ({ lines: [`$ ${command}`], output: [] })),
  },
]

const transcripts: Session[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => {
    const written = parseTranscript(readFileSync(join(import.meta.dirname, name), 'utf8'))
    return { name, sections: update && name === helpGolden ? helpSections() : written, env: {} }
  })

/** The sessions people see in the README; one that starts with `cleo init` starts in a new folder. */
const readmeSessions = (): Session[] => {
  const sessions: Session[] = []
  for (const [, block] of readFileSync(readme, 'utf8').matchAll(/^```console\n(.*?)^```/gms)) {
    const sections = parseTranscript(block!)
    const first = sections[0]?.steps[0]?.lines[0]
    if (sessions.length === 0 || first?.startsWith('$ cleo init')) {
      sessions.push({
        name: `README.md session ${sessions.length + 1}`,
        sections: [],
        env: { CLEO_FORMAT: 'human' },
      })
    }
    sessions.at(-1)!.sections.push(...sections)
  }
  return sessions
}

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

const titleOf = ({ heading, steps }: Section): string =>
  heading[0]?.slice(2) ?? steps[0]?.lines[0] ?? 'nothing'

if (update) {
  test('the expectations are written anew', async () => {
    for (const { name, sections, env } of transcripts) {
      const ran = await runTranscript(sections, executable, env)
      writeFileSync(join(import.meta.dirname, name), printTranscript(ran))
    }
  })
} else {
  for (const { name, sections, env } of [...transcripts, ...readmeSessions()]) {
    const expected = normalised(sections)
    for (const runtime of runtimes) {
      const session = inTurn(() => runTranscript(expected, runtime, { ...env }))
      session.catch(() => 'said by the tests that wait for it')
      describe(`${name} on ${runtime.name}`, () => {
        for (const [i, section] of expected.entries()) {
          test(titleOf(section), async () => {
            expect(printSection((await session)[i]!)).toBe(printSection(section))
          })
        }
      })
    }
  }

  test('[OPS-1] the golden of all help leaves no command out', () => {
    const { sections } = transcripts.find(({ name }) => name === helpGolden)!
    const shown = sections.flatMap(({ steps }) => steps.map(({ lines }) => lines[0]!.slice(2)))
    expect(shown, 'run UPDATE=1 npx vitest run test/cli').toEqual(helpCommands())
  })
}
