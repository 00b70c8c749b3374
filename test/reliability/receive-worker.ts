import type { Host } from '../../src/host/host.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { connectTo } from './finish-worker.ts'
import { telling } from './write-until-killed.ts'

export interface ReceiveOptions {
  project: string
  task: string
  /** The number of the step at which the process kills itself. */
  diesAt: number
}

/**
 * Receives a task. Returns the answer, and how many steps it took: statements, transactions, and the start and end of
 * each program.
 */
export const receiveOnce = async ({ project, task, diesAt }: ReceiveOptions) => {
  let moments = 0
  const moment = () => {
    if (++moments === diesAt) process.kill(process.pid, 'SIGKILL')
  }
  const connection = connectTo(project)
  const run: Host['processes']['run'] = async (...args) => {
    moment()
    const ended = await connection.host.processes.run(...args)
    moment()
    return ended
  }
  const host: Host = { ...connection.host, processes: { ...connection.host.processes, run } }
  const store = telling(await connection.store(), moment, moment)
  const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
  const receive = (await load('orchestrate.receive'))!
  const answer = await perform(
    receive,
    { id: task },
    { ...connection, host, store: async () => store },
    caller,
  )
  await connection.close()
  return { answer, moments }
}

if (process.argv[1]?.endsWith('receive-worker.ts'))
  await receiveOnce(JSON.parse(process.argv[2]!) as ReceiveOptions)
