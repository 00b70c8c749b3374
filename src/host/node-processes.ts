import { spawn } from 'node:child_process'
import type { Processes, Ran } from './host.ts'

const graceMs = 500

/** Runs a program in a process group of its own, so that ending it ends what it started too. */
export const nodeProcesses: Processes = {
  run: (program, args, { cwd, env, input, timeoutMs, maxBytes, keep = 'tail' }) =>
    new Promise((resolve) => {
      const errors = keep === 'tail' ? 'pipe' : 'ignore'
      const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', errors] })
      const tail = tailOf(maxBytes)
      let stopped: 'timed out' | 'overran' | undefined
      const take = (chunk: Buffer) => {
        if (tail.take(chunk) && keep === 'output') stop('overran')
      }
      child.stdout!.on('data', take)
      child.stderr?.on('data', take)
      // A program that does not read its input is not at fault.
      child.stdin!.on('error', () => undefined)
      child.stdin!.end(input)

      const timers: NodeJS.Timeout[] = []
      const later = (ms: number, work: () => void) => timers.push(setTimeout(work, ms))
      const stop = (why: typeof stopped) => {
        if (stopped) return
        stopped = why
        endGroup(child.pid, 'SIGTERM')
        later(graceMs, () => endGroup(child.pid, 'SIGKILL'))
        later(graceMs * 2, end)
      }
      const alone = withUs(child.pid)
      const done = (ran: Ran) => {
        alone()
        timers.forEach(clearTimeout)
        child.stdout!.destroy()
        child.stderr?.destroy()
        resolve(ran)
      }
      const end = () => {
        endGroup(child.pid, 'SIGKILL')
        const said = tail.text()
        done(
          stopped ? { end: stopped, tail: said } : { end: 'exited', code: child.exitCode ?? 1, tail: said },
        )
      }
      later(timeoutMs, () => stop('timed out'))
      child.on('error', (error) => done({ end: 'not started', reason: reasonOf(error) }))
      // What it wrote may still be on its way, but a grandchild that keeps the pipe open must not keep us.
      child.on('exit', () => {
        endGroup(child.pid, 'SIGKILL')
        later(graceMs, end)
      })
      child.on('close', end)
    }),
}

/** The last bytes of what comes in, whatever comes in. */
const tailOf = (maxBytes: number) => {
  const chunks: Buffer[] = []
  let kept = 0
  let all = 0
  return {
    /** Answers whether it was more than is kept. */
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

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const living = new Set<number>()

/** A group of its own does not hear what is sent to ours: whoever ends us ends it, too. */
const withUs = (pid: number | undefined): (() => void) => {
  if (pid === undefined) return () => undefined
  if (living.size === 0) for (const signal of signals) process.on(signal, endWithUs)
  living.add(pid)
  return () => {
    if (living.delete(pid) && living.size === 0)
      for (const signal of signals) process.removeListener(signal, endWithUs)
  }
}

const endWithUs = (signal: NodeJS.Signals): void => {
  for (const pid of living) endGroup(pid, 'SIGKILL')
  for (const each of signals) process.removeListener(each, endWithUs)
  process.kill(process.pid, signal)
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => {
  if (code === 'ENOENT') return 'there is no such program'
  return code === 'EACCES' ? 'it may not be run' : message
}

const endGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
