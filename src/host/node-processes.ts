import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mostErrors, programReason } from './errno.ts'
import type { Processes, ProcessResult } from './host.ts'
import { graceMs, signalGroup, startingGroup } from './node-process-groups.ts'

/** Runs a program in its own process group. Ending the group also ends the processes that the program started. */
export const nodeProcesses: Processes = {
  run: (program, args, options) =>
    new Promise((resolve) => {
      const { cwd, env, input, timeoutMs, maxBytes, keep = 'tail', keepErrors, heard, signal } = options
      const errors = keep === 'tail' || keepErrors ? 'pipe' : 'ignore'
      const { child, release } = startGroup(program, args, { cwd, env, stdio: ['pipe', 'pipe', errors] })
      const tail = tailOf(maxBytes)
      const said = tailOf(mostErrors)
      let stopped: 'timed out' | 'overran' | 'cancelled' | undefined
      const take = (chunk: Buffer) => {
        if (tail.take(chunk) && keep === 'output') stop('overran')
        heard?.(chunk.toString('utf8'))
      }
      child.stdout!.on('data', take)
      child.stderr?.on('data', keepErrors ? said.take : take)
      // Ignore the error: writing fails if the program exits without reading its input.
      child.stdin!.on('error', () => undefined)
      child.stdin!.end(input)

      const timers: NodeJS.Timeout[] = []
      const later = (ms: number, work: () => void) => timers.push(setTimeout(work, ms))
      const stop = (why: typeof stopped) => {
        if (stopped) return
        stopped = why
        signalGroup(child.pid, 'SIGTERM')
        later(graceMs, () => signalGroup(child.pid, 'SIGKILL'))
        later(graceMs * 2, end)
      }
      const cancel = () => stop('cancelled')
      signal?.addEventListener('abort', cancel)
      const done = (ran: ProcessResult) => {
        release()
        signal?.removeEventListener('abort', cancel)
        timers.forEach(clearTimeout)
        child.stdout!.destroy()
        child.stderr?.destroy()
        resolve(ran)
      }
      const end = () => {
        signalGroup(child.pid, 'SIGKILL')
        const text = tail.text()
        const exited = { end: 'exited' as const, code: child.exitCode ?? 1, tail: text }
        done(
          stopped ? { end: stopped, tail: text } : { ...exited, ...(keepErrors && { errors: said.text() }) },
        )
      }
      later(timeoutMs, () => stop('timed out'))
      child.on('error', (error) => done({ end: 'not started', reason: programReason(error) }))
      // Output may still arrive after the exit, so wait for it. But do not wait forever, because a grandchild can
      // keep the pipe open.
      child.on('exit', () => {
        signalGroup(child.pid, 'SIGKILL')
        later(graceMs, end)
      })
      child.on('close', end)
    }),
}

const startGroup = (
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): { child: ChildProcess; release: () => void } =>
  startingGroup(() => spawn(program, args, { ...options, detached: true }))

const tailOf = (maxBytes: number) => {
  const chunks: Buffer[] = []
  let kept = 0
  let all = 0
  return {
    /** Returns true if the output so far is longer than `maxBytes`. */
    take(chunk: Buffer): boolean {
      chunks.push(chunk)
      kept += chunk.length
      all += chunk.length
      while (kept - chunks[0]!.length >= maxBytes) kept -= chunks.shift()!.length
      return all > maxBytes
    },
    text: (): string => Buffer.concat(chunks).subarray(-maxBytes).toString('utf8'),
  }
}
