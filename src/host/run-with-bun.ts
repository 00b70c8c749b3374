import type { Bun } from './bun.ts'
import { mostErrors, programReason } from './errno.ts'
import type { Processes, ProcessResult } from './host.ts'

type Run = Processes['run']

/**
 * Runs a program that starts no other programs. Avoids `node:child_process`: on Bun, loading that module takes ten
 * times as long as running git.
 */
export const runWithBun = async (
  bun: Bun,
  ...[program, args, options]: Parameters<Run>
): Promise<ProcessResult> => {
  const { cwd, env, input, timeoutMs, maxBytes, keepErrors } = options
  try {
    const child = bun.spawn([program, ...args], {
      cwd,
      env,
      stdin: input === '' ? 'ignore' : new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: keepErrors ? 'pipe' : 'ignore',
      // Ctrl-C at a terminal goes to the whole process group of CLEO, so give git a group of its own. After Ctrl-C, a
      // run still finishes its current steps. These steps would fail if Ctrl-C also ended git.
      detached: true,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      // Bun ends the program and cuts its output at `maxBuffer`. One byte more shows that the output was too long.
      maxBuffer: maxBytes + 1,
    })
    // Read only after the exit. Until the exit, Bun itself keeps the output, however long it is. A reader that waits
    // for output would get a buffer of 256 KB for each pipe, and a process that runs git often would collect garbage
    // all the time.
    const code = await child.exited
    const bytes = await child.stdout.bytes()
    if (bytes.length > maxBytes) return { end: 'overran', tail: '' }
    const tail = textOf(bytes)
    if (child.signalCode !== null) return { end: 'timed out', tail }
    return {
      end: 'exited',
      code,
      tail,
      ...(child.stderr && { errors: textOf((await child.stderr.bytes()).slice(-mostErrors)) }),
    }
  } catch (error) {
    return { end: 'not started', reason: programReason(error) }
  }
}

const textOf = (bytes: Uint8Array<ArrayBuffer>): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
