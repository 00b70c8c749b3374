import { spawn } from 'node:child_process'
import type { Processes } from './host.ts'

const graceMs = 500

/** Runs a program in a process group of its own, so that ending it ends what it started too. */
export const nodeProcesses: Processes = {
  run: (program, args, { cwd, env, input, timeoutMs, maxBytes }) =>
    new Promise((resolve) => {
      const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
      let tail = ''
      let timedOut = false
      const keep = (chunk: Buffer) => {
        tail = (tail + chunk.toString('utf8')).slice(-maxBytes)
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      // A program that does not read its input is not at fault.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)

      const timer = setTimeout(() => {
        timedOut = true
        endGroup(child.pid, 'SIGTERM')
        setTimeout(() => endGroup(child.pid, 'SIGKILL'), graceMs).unref()
        setTimeout(() => done({ end: 'timed out', tail }), graceMs * 2)
      }, timeoutMs)
      const done = (ran: Parameters<typeof resolve>[0]) => {
        clearTimeout(timer)
        child.stdout.destroy()
        child.stderr.destroy()
        endGroup(child.pid, 'SIGKILL')
        resolve(ran)
      }
      child.on('error', (error) => done({ end: 'not started', reason: reasonOf(error) }))
      // "exit", not "close": a grandchild that keeps the pipe open must not keep us.
      child.on('exit', (code) =>
        done(timedOut ? { end: 'timed out', tail } : { end: 'exited', code: code ?? 1, tail }),
      )
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
