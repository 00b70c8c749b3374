import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Ran, Runtime } from './cleo.ts'

export interface FedCommand extends Ran {
  seconds: number
  /** Peak memory; undefined if the system does not report it. */
  megabytes?: number
}

/** Runs a command with standard input from a source that can be endless, and watches its memory. */
export const fed = ({ command }: Runtime, args: readonly string[], cwd: string, input: Iterable<string>) =>
  new Promise<FedCommand>((resolve, reject) => {
    const [program, ...first] = command
    const began = Date.now()
    const child = spawn(program, [...first, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: join(cwd, '.home'), USER: 'ada', CLEO_FORMAT: 'json' },
    })
    let [stdout, stderr, peak] = ['', '', 0]
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    const watch = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid!))
    }, 5)
    const source = Readable.from(input, { objectMode: false, highWaterMark: 1 << 20 })
    // The command closes the pipe as soon as it has read enough.
    child.stdin.on('error', () => source.destroy())
    source.pipe(child.stdin)
    child.on('error', reject)
    child.on('close', (exit) => {
      clearInterval(watch)
      source.destroy()
      const seconds = (Date.now() - began) / 1000
      resolve({ exit: exit ?? -1, stdout, stderr, seconds, ...(peak > 0 && { megabytes: peak / 1024 }) })
    })
  })

/** Returns the peak memory of a process in kilobytes; 0 if the process has ended or the system does not tell. */
const peakOf = (pid: number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Yields the same text for ever. */
export function* forEver(text: string): Iterable<string> {
  for (;;) yield text
}
