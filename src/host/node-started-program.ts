import { spawn } from 'node:child_process'
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
  { cwd, env, sameGroup, output, exited, closed }: ProgramOptions,
): Promise<StartedProgram | NotStarted> =>
  new Promise((resolve) => {
    const notStarted = (error: unknown) => resolve({ code: errnoOf(error), reason: programReason(error) })
    try {
      const child = spawn(program, args, { cwd, env, detached: !sameGroup, stdio: 'pipe' })
      child.stdout.on('data', (chunk: Buffer) => output(chunk, 'output'))
      child.stderr.on('data', (chunk: Buffer) => output(chunk, 'errors'))
      // A program can exit or close its input before it has read everything. Then ignore the error of the write.
      child.stdin.on('error', () => undefined)
      child.stdout.on('error', () => undefined)
      child.stderr.on('error', () => undefined)
      child.on('error', notStarted)
      child.on('exit', (code, signal) => exited(code ?? undefined, signal ?? undefined))
      child.on('close', closed)
      child.on('spawn', () =>
        resolve({
          pid: child.pid!,
          write: (text) => void child.stdin.write(text),
          closeInput: () => void child.stdin.end(),
          signalGroup: (signal) => signalGroup(child.pid!, signal),
          stopReading: () => {
            child.stdout.destroy()
            child.stderr.destroy()
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
