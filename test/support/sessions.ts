import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Runtime } from './cleo.ts'
import { postgresDatabase } from './postgres.ts'
import {
  normalised,
  parseTranscript,
  printSection,
  runTranscript,
  type Section,
  teamDatabase,
} from './transcript.ts'

const root = join(import.meta.dirname, '..', '..')
export const transcriptFolder = join(root, 'test', 'cli')
/** The pages whose console sessions are run. */
const pages = [
  'README.md',
  'docs/guide/coming-from-the-old-protocol.md',
  'docs/guide/editing.md',
  'docs/guide/everyday.md',
  'docs/guide/importing.md',
  'docs/guide/orchestrate.md',
  'docs/guide/parallel-work.md',
  'docs/guide/postgres.md',
  'docs/guide/runs.md',
  'docs/guide/skills.md',
  'docs/guide/troubleshooting.md',
  'docs/guide/tutorial.md',
  'docs/guide/seeing-the-work.md',
]

/** A session that readers see, or a part of it that a comment hides from them. */
const block = /^(?:```console\n(.*?)^```|<!-- also run\n(.*?)^-->)/gms

export interface Session {
  name: string
  sections: Section[]
}

/** Returns the sessions of test/cli. */
export const transcripts = (): Session[] =>
  readdirSync(transcriptFolder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => ({
      name,
      sections: parseTranscript(readFileSync(join(transcriptFolder, name), 'utf8')),
    }))

/**
 * Returns the sessions of the pages. A block that starts with `git init`, or with a second `cleo init`, starts a new
 * session in a new folder.
 */
export const sessionsOfPages = (): Session[] => pages.flatMap(sessionsOf)

const sessionsOf = (page: string): Session[] => {
  const sessions: Session[] = []
  for (const [, seen, unseen] of readFileSync(join(root, page), 'utf8').matchAll(block)) {
    const sections = parseTranscript((seen ?? unseen)!)
    const first = sections[0]?.steps[0]?.lines[0] ?? ''
    const last = sessions.at(-1)
    if (!last || first.startsWith('$ git init') || (isInit(first) && hasInit(last)))
      sessions.push({ name: `${page} session ${sessions.length + 1}`, sections: [] })
    sessions.at(-1)!.sections.push(...sections)
  }
  return sessions
}

const isInit = (line: string): boolean => line.startsWith('$ cleo init')
const hasInit = ({ sections }: Session): boolean =>
  sections.some(({ steps }) => steps.some(({ lines }) => isInit(lines[0]!)))

export type StoreName = 'sqlite' | 'postgres'

/** Sessions that run only on SQLite, with the reason. All others run on both stores. */
const onSqliteAlone: Record<string, string> = {
  'help.txt': 'help opens no store',
  'usage.txt': 'nothing of it gets as far as a store',
  'project.txt': 'it looks at the files of a project',
  'focus.txt': 'it writes the whole configuration to shorten a lease, and the id of the project with it',
  'doctor.txt': 'it spoils the configuration and puts another one there',
  'config.txt': 'it shows and writes the whole configuration, and the id of the project with it',
  'trust.txt': 'it writes the whole configuration, and the id of the project with it',
}

/** Whether a session moves its project to PostgreSQL. Such a session starts on SQLite. */
const moves = ({ sections }: Session): boolean =>
  sections.some(({ steps }) => steps.some(({ lines }) => lines[0]!.includes(teamDatabase)))

/** Returns the database to which a session moves its project. */
export const teamOf = async (session: Session): Promise<string | undefined> =>
  moves(session) ? postgresDatabase() : undefined

export const storesOf = (session: Session): StoreName[] =>
  session.name in onSqliteAlone || moves(session) ? ['sqlite'] : ['sqlite', 'postgres']

/**
 * The sessions that `npm test` also runs on PostgreSQL, each with what it tests of the store. The other sessions
 * run on PostgreSQL only in `npm run test:long`, because they test the surface. The tests of the operations run on
 * both stores anyway.
 */
const onPostgresToo: Record<string, string> = {
  'first-session.txt': 'the commands of a first session',
  'batch.txt': 'many rows in one transaction',
  'lists.txt': 'lists, their order and their pages',
  'dependencies.txt': 'the graph of tasks',
  'memory.txt': 'the search in texts',
  'manifest.txt': 'entries, links and quarantine',
  'receive.txt': 'spawns and what comes back',
  'undo.txt': 'changes taken back by the audit log',
  'README.md session 1': 'what users are shown first',
}

/** Returns the stores on which `npm test` runs a session. */
export const usualStoresOf = (session: Session): StoreName[] =>
  session.name in onPostgresToo ? storesOf(session) : ['sqlite']

// All sessions wait in one queue, and as many sessions run at the same time as there are cores. The tests only
// compare what the sessions printed.
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

/** Makes a test of each section. The session runs once, and each section must print what the file says. */
export const compare = (given: Session, runtime: Runtime, store: StoreName): void => {
  const { name, sections } = given
  const expected = normalised(sections)
  const session = inTurn(async () =>
    runTranscript(
      expected,
      runtime,
      store === 'sqlite' ? {} : { CLEO_DATABASE_URL: await postgresDatabase() },
      await teamOf(given),
    ),
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
