import { spawn } from 'node:child_process'
import type { Processes, Ran } from './host.ts'

const graceMs = 500

/** Runs a program in a process group of its own, so that ending it ends what it started too. */
export const nodeProcesses: Processes = {
  run: (program, args, { cwd, env, input, timeoutMs, maxBytes, keep = 'tail' }) =>
    new Promise((resolve) => {
      const errors = keep === 'tail' ? 'pipe' : 'ignore'
      const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', errors] })
      let tail = Buffer.alloc(0)
      let stopped: 'timed out' | 'overran' | undefined
      const take = (chunk: Buffer) => {
        const all = Buffer.concat([tail, chunk])
        tail = all.subarray(-maxBytes)
        if (keep === 'output' && all.length > maxBytes) stop('overran')
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
      const done = (ran: Ran) => {
        timers.forEach(clearTimeout)
        child.stdout!.destroy()
        child.stderr?.destroy()
        resolve(ran)
      }
      const end = () => {
        endGroup(child.pid, 'SIGKILL')
        const said = tail.toString('utf8')
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
