import type { Bun } from './bun.ts'
import { programReason } from './errno.ts'
import type { Processes, ProcessResult } from './host.ts'

type Run = Processes['run']

/**
 * Runs a program that starts no other programs, without `node:child_process`: loading that module takes Bun ten times
 * as long as git takes to run.
 */
export const runWithBun = async (
  bun: Bun,
  ...[program, args, options]: Parameters<Run>
): Promise<ProcessResult> => {
  const { cwd, env, input, timeoutMs, maxBytes } = options
  try {
    const child = bun.spawn([program, ...args], {
      cwd,
      env,
      stdin: input === '' ? 'ignore' : new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      // One byte more than allowed, so that output of exactly `maxBytes` is not refused.
      maxBuffer: maxBytes + 1,
    })
    // Faster than reading chunk by chunk, which compiles more of Bun's own code.
    const bytes = await child.stdout.bytes()
    const code = await child.exited
    if (bytes.length > maxBytes) return { end: 'overran', tail: '' }
    const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    return child.signalCode === null ? { end: 'exited', code, tail } : { end: 'timed out', tail }
  } catch (error) {
    return { end: 'not started', reason: programReason(error) }
  }
}
