import * as v from 'valibot'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Answer, OperationName } from '../../src/index.ts'
import { connect } from '../../src/ops/connection.ts'
import { load } from '../../src/ops/generated/load.ts'
import type { Operations } from '../../src/ops/generated/operations.ts'
import { type Caller, perform } from '../../src/ops/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { withTemp } from './temp.ts'

type Input<N extends OperationName> = v.InferInput<Operations[N]['input']>

/** A real project in a folder of its own, with a clock the test can turn. */
export interface TestProject {
  root: string
  clock: { now: number }
  as(id: string, session?: string): TestProject
  /** Calls an operation; an answer that does not fit its own schema fails the test. */
  call<N extends OperationName>(name: N, input: Input<N>, caller?: Partial<Caller>): Promise<Answer<N>>
  /** The value of an operation that must succeed. */
  must<N extends OperationName>(name: N, input: Input<N>): Promise<Extract<Answer<N>, { ok: true }>['value']>
  store(): Promise<Store>
}

export const withProject = <T>(work: (project: TestProject) => Promise<T>): Promise<T> =>
  withTemp(async (root) => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const host = {
      ...nodeHost(),
      cwd: root,
      home: `${root}/.home`,
      user: 'ada',
      env: {},
      now: () => clock.now++,
    }
    const connection = connect({ host, named: root, wait: 'retry' })
    const projectFor = (caller: Caller): TestProject => {
      const project: TestProject = {
        root,
        clock,
        as: (id, sessionId) =>
          projectFor({
            ...caller,
            actor: { id, agent: /^T\d+\.\d+$/.test(id) },
            ...(sessionId && { sessionId }),
          }),
        call: async (name, input, more) => {
          const operation = (await load(name))!
          const result = await perform(operation, input, connection, { ...caller, ...more })
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
      await connection.close()
    }
  })
