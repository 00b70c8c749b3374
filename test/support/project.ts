import * as v from 'valibot'
import { describe } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Answer, OperationName } from '../../src/index.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import type { Operations } from '../../src/perform/generated/operations.ts'
import { type Caller, perform } from '../../src/perform/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { postgresDatabase } from './postgres.ts'
import { withTemp } from './temp.ts'

type Input<N extends OperationName> = v.InferInput<Operations[N]['input']>

/** A real project in its own folder, with a clock that the test can set. */
export interface TestProject {
  root: string
  clock: { now: number }
  /** Moves the clock of leases forward. */
  pass(ms: number): Promise<void>
  as(id: string, session?: string): TestProject
  /** The same project for a caller in another folder. */
  from(cwd: string): TestProject
  /** The same project for a program that starts now: it reads the configuration again. */
  afresh(env?: Record<string, string>): TestProject
  /** Calls an operation; an answer that does not match its output schema fails the test. */
  call<N extends OperationName>(name: N, input: Input<N>, caller?: Partial<Caller>): Promise<Answer<N>>
  /** The value of an operation that must succeed. */
  must<N extends OperationName>(name: N, input: Input<N>): Promise<Extract<Answer<N>, { ok: true }>['value']>
  store(): Promise<Store>
}

export type WithProject = <T>(work: (project: TestProject) => Promise<T>) => Promise<T>

/** The same tests on both stores, from one source. */
export const onEveryStore = (
  suite: (withProject: WithProject, store: 'sqlite' | 'postgres') => void,
): void => {
  describe('sqlite', () => suite(withProject, 'sqlite'))
  describe('postgres', () => suite(withPostgres, 'postgres'))
}

/** Tests that are mostly about git and folders. PostgreSQL runs the same operations in the sessions of test/cli. */
export const onSqlite = (suite: (withProject: WithProject) => void): void => {
  describe('sqlite', () => suite(withProject))
}

export const withProject: WithProject = (work) => inProject({}, work)

const withPostgres: WithProject = async (work) =>
  inProject({ CLEO_DATABASE_URL: await postgresDatabase() }, work)

const inProject = <T>(env: Record<string, string>, work: (project: TestProject) => Promise<T>): Promise<T> =>
  withTemp(async (root) => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const host = { ...nodeHost(), cwd: root, home: `${root}/.home`, user: 'ada', env, now: () => clock.now++ }
    const connection = connect({ host, named: root, wait: 'retry' })
    const further = [connection]
    const pass = async (ms: number): Promise<void> => {
      clock.now += ms
      const store = await connection.store()
      // PostgreSQL uses its own clock, which no test can set: there the leases and spawns are moved instead.
      if (store.dialect.name !== 'postgres') return
      await store.run('UPDATE claims SET expires_at = expires_at - ?', ms)
      await store.run(
        'UPDATE spawns SET at = at - ?, started_at = started_at - ?, seen_at = seen_at - ?',
        ms,
        ms,
        ms,
      )
    }
    const projectFor = (caller: Caller, cwd = root, connection = further[0]!): TestProject => {
      const here = { ...connection, host: { ...connection.host, cwd } }
      const project: TestProject = {
        root,
        clock,
        pass,
        as: (id, sessionId) =>
          projectFor(
            {
              ...caller,
              actor: { id, agent: /^T\d+\.\d+$/.test(id) },
              ...(sessionId && { sessionId }),
            },
            cwd,
            connection,
          ),
        from: (folder) => projectFor(caller, folder, connection),
        afresh: (more = {}) => {
          const another = connect({
            host: { ...host, env: { ...env, ...more } },
            named: root,
            wait: 'retry',
          })
          further.push(another)
          return projectFor(caller, cwd, another)
        },
        call: async (name, input, more) => {
          const operation = (await load(name))!
          const result = await perform(operation, input, here, { ...caller, ...more })
          if (result.ok) v.parse(operation.output(), result.value)
          return result as never
        },
        must: async (name, input) => {
          const result = await project.call(name, input)
          if (!result.ok) throw new Error(`${name}: ${result.code}: ${result.message}`)
          return result.value as never
        },
        store: connection.store,
      }
      return project
    }
    const project = projectFor({ actor: { id: 'ada', agent: false }, dryRun: false })
    try {
      await project.must('admin.init', {})
      return await work(project)
    } finally {
      for (const each of further) await each.close()
    }
  })
