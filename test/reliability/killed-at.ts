import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { compileCache } from '../support/compile-cache.ts'
import { connectTo } from './finish-worker.ts'

/** Calls an operation in this process, as a person or as a spawn. */
export const call = async <T>(project: string, as: string, name: string, input: object): Promise<T> => {
  const connection = connectTo(project)
  const caller = { actor: { id: as, agent: as !== 'ada' }, dryRun: false }
  const answer = await perform((await load(name))!, input, connection, caller)
  await connection.close()
  if (!answer.ok) throw new Error(`${name}: ${answer.message}`)
  return answer.value as T
}

/** Runs a worker in another process. Returns whether it killed itself at `diesAt`. */
export const killedAt = (
  worker: `${string}-worker.ts`,
  options: { project: string; task: string; diesAt: number },
): Promise<boolean> => {
  const script = join(import.meta.dirname, worker)
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    cwd: options.project,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: join(options.project, '.home'),
      ...compileCache,
      NODE_NO_WARNINGS: '1',
    },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_, signal) => resolve(signal === 'SIGKILL'))
  })
}
