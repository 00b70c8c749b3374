import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { errnoOf, programReason } from './errno.ts'

/** A program that runs while its caller continues, by default in its own session and process group. */
export interface StartedProgram {
  pid: number
  write(text: string | Uint8Array): void
  closeInput(): void
  /** Sends a signal to every process of the group. */
  signalGroup(signal: NodeJS.Signals): void
  /** Stops reading the output and closes it, even if another process still writes to it. */
  stopReading(): void
}

export interface ProgramOptions {
  cwd: string
  env: Readonly<Record<string, string>>
  /** True if the program stays in the process group of CLEO, so that both end together. */
  sameGroup?: true
  /** True to discard what the program writes to standard error. */
  withoutErrors?: true
  output(chunk: Buffer, from: 'output' | 'errors'): void
  /** Called when the program has ended. More output may still come. */
  exited(code: number | undefined, signal: string | undefined): void
  /**
   * Called when the program has ended and all of its output was read. Never called if another process keeps the output
   * open.
   */
  closed(): void
}

export interface NotStarted {
  /** The code of the system error, such as `ENOENT`. */
  code: string | undefined
  reason: string
}

/** Starts a program with pipes for its input, its output and its errors. */
export const startProgram = (
  program: string,
  args: readonly string[],
  { cwd, env, sameGroup, withoutErrors, output, exited, closed }: ProgramOptions,
): Promise<StartedProgram | NotStarted> =>
  new Promise((resolve) => {
    const notStarted = (error: unknown) => resolve({ code: errnoOf(error), reason: programReason(error) })
    try {
      const errors = withoutErrors ? 'ignore' : 'pipe'
      const child = spawn(program, args, { cwd, env, detached: !sameGroup, stdio: ['pipe', 'pipe', errors] })
      const { stdin, stdout, stderr } = child as {
        stdin: Writable
        stdout: Readable
        stderr: Readable | null
      }
      stdout.on('data', (chunk: Buffer) => output(chunk, 'output'))
      stderr?.on('data', (chunk: Buffer) => output(chunk, 'errors'))
      // A program can exit or close its input before it has read everything. Then ignore the error of the write.
      stdin.on('error', () => undefined)
      stdout.on('error', () => undefined)
      stderr?.on('error', () => undefined)
      child.on('error', notStarted)
      child.on('exit', (code, signal) => exited(code ?? undefined, signal ?? undefined))
      child.on('close', closed)
      child.on('spawn', () =>
        resolve({
          pid: child.pid!,
          write: (text) => void stdin.write(text),
          closeInput: () => void stdin.end(),
          signalGroup: (signal) => signalGroup(child.pid!, signal),
          stopReading: () => {
            stdout.destroy()
            stderr?.destroy()
          },
        }),
      )
    } catch (error) {
      // Bun throws the error that Node reports as an event.
      notStarted(error)
    }
  })

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
  }
}
