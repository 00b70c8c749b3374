import { nodeHost } from '../../src/host/node-host.ts'
import { type Connection, connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { telling } from './write-until-killed.ts'

export interface FinishOptions {
  project: string
  task: string
  /** The number of the statement or transaction step at which the process kills itself. */
  diesAt: number
}

export const criteria = ['1=files:src/a.ts', '2=tool:test']

/** Connects as a process that runs in the project's folder. The home folder is in the project's folder too. */
export const connectTo = (project: string): Connection => {
  const { PATH } = process.env
  const host = { ...nodeHost(), cwd: project, home: `${project}/.home`, user: 'ada', env: { PATH } }
  return connect({ host, named: project, wait: 'retry' })
}

/** Finishes a task. Returns the answer, and how many statements and steps it took. */
export const finishOnce = async ({ project, task, diesAt }: FinishOptions) => {
  let moments = 0
  const moment = () => {
    if (++moments === diesAt) process.kill(process.pid, 'SIGKILL')
  }
  const connection = connectTo(project)
  const opened = await connection.store()
  // Reads between two transactions count too, because a tool might have run or a file might have been written
  // before them.
  const get: Store['get'] = (...args) => {
    moment()
    return opened.get(...args)
  }
  const store = { ...telling(opened, moment, moment), get }
  const input = { id: task, finding: ['It holds.'], criterion: criteria }
  const caller = { actor: { id: `${task}.1`, agent: true }, dryRun: false }
  const finish = (await load('tasks.finish'))!
  const answer = await perform(finish, input, { ...connection, store: async () => store }, caller)
  await connection.close()
  return { answer, moments }
}

if (process.argv[1]?.endsWith('finish-worker.ts'))
  await finishOnce(JSON.parse(process.argv[2]!) as FinishOptions)
