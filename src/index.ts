import { nodeHost } from './host/node-host.ts'
import { actorOf } from './kernel/actor.ts'
import type { Progress } from './kernel/progress.ts'
import type { Failure, Ok } from './kernel/result.ts'
import type { commonCodes } from './operation/common-codes.ts'
import type { Several } from './operation/several.ts'
import { connect } from './perform/connection.ts'
import { load } from './perform/generated/load.ts'
import { perform } from './perform/perform.ts'
import type { Signatures } from './perform/signatures.ts'

type Name = keyof Signatures
type InputOf<N extends Name> = Signatures[N]['input']
type Output<N extends Name> = Signatures[N]['output']
type CodeOf<N extends Name> = Signatures[N]['code'] | (typeof commonCodes)[number]

/** The result of an operation: `ok` with a value, or a refusal with its code, exit status and fix. */
export type Answer<N extends Name> = Ok<Output<N>> | Failure<CodeOf<N>>

/** The operations that can take several tasks. The tasks after the first are in `more`. */
type SeveralName = { [N in Name]: 'more' extends keyof InputOf<N> ? N : never }[Name]

export type SeveralAnswer<N extends SeveralName> = Ok<Several<Output<N>>> | Failure<CodeOf<N>>

export interface OpenOptions {
  /** The project's folder; found from the working directory when left out. */
  project?: string
  /** Who acts: an agent's or a spawn's id; the user of this process when left out. */
  as?: string
  session?: string
  /** Called with the progress of long work, such as a run of the project's tests. */
  progress?: (progress: Progress) => void
}

export interface OpenedProject {
  /** Calls an operation by name: `project.call('tasks.add', { title: 'Sign-up form' })`. */
  call<N extends SeveralName>(
    name: N,
    input: InputOf<N> & { more: readonly string[] },
    options?: { dryRun?: boolean },
  ): Promise<SeveralAnswer<N>>
  call<N extends Name>(name: N, input: InputOf<N>, options?: { dryRun?: boolean }): Promise<Answer<N>>
  /** Waits for the calls that are running, then closes the store. */
  close(): Promise<void>
}

/** Opens a project, so that a program can call the same operations as the command line. */
export const openProject = ({ project, as, session, progress }: OpenOptions = {}): OpenedProject => {
  const host = nodeHost()
  const connection = connect({ host, named: project, wait: 'retry' })
  const actor = actorOf(as, host.env['CLEO_AGENT_ID'], host.user)
  const running = new Set<Promise<unknown>>()
  const run = async <N extends Name>(name: N, input: InputOf<N>, dryRun: boolean) =>
    (await perform((await load(name))!, input, connection, {
      actor,
      sessionId: session,
      dryRun,
      progress,
    })) as Answer<N>
  return {
    call: <N extends Name>(name: N, input: InputOf<N>, { dryRun = false } = {}): Promise<never> => {
      // The type follows from the signatures of `call`: with `more` the answer is a list, without it a single value.
      const answer = run(name, input, dryRun) as Promise<never>
      running.add(answer)
      return answer.finally(() => running.delete(answer))
    },
    // Wait for the calls themselves. Waiting for the store's queue is not enough, because the queue is empty while a
    // call is between two SQL statements.
    close: async () => {
      await Promise.allSettled(running)
      await connection.close()
    },
  }
}

export type { CodeOf, Name as OperationName, Progress }
