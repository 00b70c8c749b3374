import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HandedIn, HandInOptions } from './manifest-worker.ts'

export interface HandingIn {
  kill(): void
  /** Asks it to end. */
  finish(): void
  /** What it told before it was gone. */
  ended: Promise<{ kept: string[]; refused: string[]; killed: boolean }>
}

/** A process of its own that hands in entries. */
export const startHandingIn = (
  options: HandInOptions,
  hear: (said: HandedIn) => void = () => undefined,
): HandingIn => {
  const script = join(import.meta.dirname, 'manifest-worker.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    env: {
      PATH: process.env['PATH'],
      HOME: join(options.project, '.home'),
      NODE_COMPILE_CACHE: join(options.project, '.compile-cache'),
      NODE_NO_WARNINGS: '1',
    },
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const kept: string[] = []
  const refused: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const said = JSON.parse(line) as HandedIn
    if ('kept' in said) kept.push(said.kept)
    if ('refused' in said) refused.push(said.refused)
    hear(said)
  })
  const heard = new Promise((resolve) => lines.once('close', resolve))
  const ended = new Promise<Awaited<HandingIn['ended']>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', async (code, signal) => {
      await heard
      if (code === 0 || signal === 'SIGKILL') resolve({ kept, refused, killed: signal === 'SIGKILL' })
      else reject(new Error(`handing in ended with ${code ?? signal}: ${complaint}`))
    })
  })
  return { kill: () => child.kill('SIGKILL'), finish: () => child.stdin.end(), ended }
}
