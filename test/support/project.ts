import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Answer, OperationName } from '../../src/index.ts'
import type { DocumentedOperation } from '../../src/operation/operation.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import type { Operations } from '../../src/perform/generated/operations.ts'
import { type Caller, perform } from '../../src/perform/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { postgresDatabase, postgresProject } from './postgres.ts'
import { copyPrepared, newProjectId, type PreparedProject, readPrepared } from './prepared-project.ts'
import { withTemp } from './temp.ts'

type Input<N extends OperationName> = v.InferInput<Operations[N]['input']>

/** A real project in its own folder, with a clock that the test can set. */
export interface TestProject {
  root: string
  /** The variables that name the project's store. */
  env: Readonly<Record<string, string>>
  clock: { now: number }
  /** Moves the clock forward, for leases and spawns. */
  pass(ms: number): Promise<void>
  as(id: string, session?: string): TestProject
  /** Returns the same project for a caller in another folder. */
  from(cwd: string): TestProject
  /** Returns the same project for a new process, which reads the configuration again. */
  afresh(env?: Record<string, string>, host?: Partial<Host>): TestProject
  /** Calls an operation. An answer that does not match the output schema fails the test. */
  call<N extends OperationName>(name: N, input: Input<N>, caller?: Partial<Caller>): Promise<Answer<N>>
  /** Calls an operation that must succeed, and returns its value. */
  must<N extends OperationName>(name: N, input: Input<N>): Promise<Extract<Answer<N>, { ok: true }>['value']>
  store(): Promise<Store>
}

export type WithProject = <T>(work: (project: TestProject) => Promise<T>) => Promise<T>

/** Runs the same tests on both stores. */
export const onEveryStore = (
  suite: (withProject: WithProject, store: 'sqlite' | 'postgres') => void,
): void => {
  describe('sqlite', () => suite(withProject, 'sqlite'))
  describe('postgres', () => suite(withPostgres, 'postgres'))
}

/**
 * Runs tests on SQLite only, for code without its own SQL. The SQL that such code calls belongs to other rooms,
 * whose tests run on both stores.
 */
export const onSqlite = (suite: (withProject: WithProject) => void): void => {
  describe('sqlite', () => suite(withProject))
}

export const withProject: WithProject = async (work) => {
  sqlite ??= await prepare({})
  return inProject({}, { prepared: sqlite, id: newProjectId() }, work)
}

let sqlite: PreparedProject | undefined

const withPostgres: WithProject = async (work) => {
  postgres ??= await prepare({ CLEO_DATABASE_URL: await postgresDatabase() })
  const id = newProjectId()
  const env = { CLEO_DATABASE_URL: await postgresProject(id) }
  return inProject(env, { prepared: postgres, id }, work)
}

let postgres: PreparedProject | undefined

/** Runs `init` in a new folder and reads what it made. */
const prepare = (env: Record<string, string>): Promise<PreparedProject> =>
  withTemp(async (root) => {
    const clock = { now: firstTime }
    const host = hostAt(root, env, clock)
    const connection = connect({ host, named: root, wait: 'retry' })
    const init = (await load('admin.init'))!
    const answer = await perform(init, {}, connection, person)
    const { project } = await connection.store()
    await connection.close()
    if (!answer.ok) throw new Error(answer.message)
    const { project: written } = JSON.parse(readFileSync(`${root}/.cleo/config.json`, 'utf8')) as {
      project?: string
    }
    const id = (project ?? written)!
    return readPrepared(root, id, clock.now)
  })

const firstTime = Date.UTC(2026, 0, 1)
const person: Caller = { actor: { id: 'ada', agent: false }, dryRun: false }

const hostAt = (root: string, env: Record<string, string>, clock: { now: number }): Host => ({
  ...nodeHost(),
  cwd: root,
  home: `${root}/.home`,
  user: 'ada',
  env,
  now: () => clock.now++,
})

const inProject = <T>(
  env: Record<string, string>,
  { prepared, id }: { prepared: PreparedProject; id: string },
  work: (project: TestProject) => Promise<T>,
): Promise<T> =>
  withTemp(async (root) => {
    copyPrepared(prepared, root, id)
    const clock = { now: prepared.now }
    const host = hostAt(root, env, clock)
    const connection = connect({ host, named: root, wait: 'retry' })
    const further = [connection]
    const pass = async (ms: number): Promise<void> => {
      clock.now += ms
      const store = await connection.store()
      // PostgreSQL uses its own clock, which no test can set. So the times of leases and spawns are moved back instead.
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
        env,
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
        afresh: (more = {}, changed = {}) => {
          const another = connect({
            host: { ...host, ...changed, env: { ...env, ...more } },
            named: root,
            wait: 'retry',
          })
          further.push(another)
          return projectFor(caller, cwd, another)
        },
        call: async (name, input, more) => {
          const operation = (await load(name))!
          const result = await perform(operation, input, here, { ...caller, ...more })
          const shape = (operation as DocumentedOperation).output()
          const isSeveral = operation.several && (input as { more?: string[] }).more
          if (result.ok) v.parse(isSeveral ? v.object({ tasks: v.array(shape) }) : shape, result.value)
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
    const project = projectFor(person)
    try {
      return await work(project)
    } finally {
      for (const each of further) await each.close()
    }
  })
