import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from '../support/compile-cache.ts'
import type { Jobs } from './worker.ts'

type Options<J extends keyof Jobs> = Parameters<Jobs[J]>[0]
type Message<J extends keyof Jobs> = Parameters<Parameters<Jobs[J]>[1]>[0]

export interface Worker {
  /** Writes one line to the standard input of the process. */
  say(line: string): void
  /** Closes the standard input of the process. */
  finish(): void
  kill(): void
  /** Resolves when the process has ended and all its messages were heard. Rejects if the job failed. */
  ended: Promise<{ killed: boolean }>
}

/** Starts a process for a job. `hear` gets its messages, in order. */
export const startWorker = <J extends keyof Jobs>(
  job: J,
  options: Options<J>,
  hear: (message: Message<J>) => void,
): Worker => startProcess('worker.ts', [job, JSON.stringify(options)], options.project, hear)

/** Starts a script of this folder. `hear` gets each line of JSON that the script prints, in order. */
export const startProcess = <M>(
  script: string,
  args: readonly string[],
  project: string,
  hear: (message: M) => void,
): Worker => {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: join(project, '.home'),
      // Hundreds of these processes start and are killed, so they use code that Node compiled before all tests.
      ...compileCache,
      NODE_NO_WARNINGS: '1',
    },
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => hear(JSON.parse(line)))
  const heard = new Promise((resolve) => lines.once('close', resolve))
  const ended = new Promise<{ killed: boolean }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', async (code, signal) => {
      await heard
      if (code === 0 || signal === 'SIGKILL') resolve({ killed: signal === 'SIGKILL' })
      else reject(new Error(`${script} ${args[0]} ended with ${code ?? signal}: ${complaint}`))
    })
  })
  return {
    say: (line) => child.stdin.write(`${line}\n`),
    finish: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
    ended,
  }
}
