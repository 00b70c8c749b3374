import { nodeHost } from '../../src/host/node-host.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import type { Db, Store } from '../../src/store/port.ts'
import { mixedOperations, mixedWrites, type Told } from './mixed-writes.ts'
import { random } from './random.ts'

export interface WriteUntilKilledOptions {
  project: string
  name: string
  seed: number
  newest: number
  /** The moment at which the process kills itself with SIGKILL. Without it, the test kills the process. */
  diesAt?: number
}

/**
 * A stage of a write, reported when the write reaches it. `calling` is before BEGIN, `working` after it,
 * `committing` before COMMIT.
 */
export type Stage = 'calling' | 'working' | 'committing' | 'committed'
export type Life = Told | { stage: Stage; op: string } | { diesIn: Stage }

/** Writes without end, through a store that reports how far each transaction is. */
export const writeUntilKilled = async (
  { project, name, seed, newest, diesAt = Number.POSITIVE_INFINITY }: WriteUntilKilledOptions,
  tell: (life: Life) => void,
): Promise<void> => {
  let moments = 0
  let stage: Stage = 'calling'
  let op = ''
  const moment = () => {
    if (++moments < diesAt) return
    tell({ diesIn: stage })
    process.kill(process.pid, 'SIGKILL')
  }
  const reach = (next: Stage) => {
    stage = next
    tell({ stage, op })
    moment()
  }

  const connection = connect({ host: nodeHost(), named: project, wait: 'retry' })
  const store = telling(await connection.store(), reach, moment)
  for (const name of mixedOperations) await load(name)
  const series = mixedWrites(random(seed), name, newest)
  for (;;) {
    const write = series.next()
    op = write.op
    reach('calling')
    const operation = (await load(write.op))!
    const caller = { actor: { id: name, agent: false }, dryRun: false }
    const answer = await perform(operation, write.input, { ...connection, store: async () => store }, caller)
    if (answer.ok) tell({ acknowledged: series.learn(write, answer.value) })
    else tell({ refused: answer.exit, code: answer.code, op: write.op })
  }
}

/**
 * Returns a store that calls `moment` at every statement of a transaction, and `reach` at the start of the
 * transaction, at its end and after it. A process can kill itself at each of these calls.
 */
export const telling = (store: Store, reach: (stage: Stage) => void, moment: () => void): Store => ({
  ...store,
  tx: async (work) => {
    const result = await store.tx(async (db) => {
      reach('working')
      const done = await work(stepping(db, moment))
      reach('committing')
      return done
    })
    reach('committed')
    return result
  },
})

const stepping = (db: Db, moment: () => void): Db => {
  const stepped =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      moment()
      return call(...args)
    }
  return { ...db, get: stepped(db.get) as Db['get'], all: stepped(db.all) as Db['all'], run: stepped(db.run) }
}
