import type { Readable, Writable } from 'node:stream'
import { type Bun, bun } from './bun.ts'
import { errnoOf, programReason } from './errno.ts'
import { signalGroup } from './node-process-groups.ts'

/** A program that runs while its caller continues, by default in its own session and process group. */
export interface StartedProgram {
  pid: number
  write(text: string | Uint8Array): void
  closeInput(): void
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

export const startProgram = async (
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<StartedProgram | NotStarted> => {
  if (bun) return startWithBun(bun, program, args, options)
  const { spawn } = await import('node:child_process')
  // Node reports most errors as an event. It throws a few others, for example if the arguments are too long.
  return startWithNode(spawn, program, args, options).catch(notStarted)
}

const notStarted = (error: unknown): NotStarted => ({ code: errnoOf(error), reason: programReason(error) })

/**
 * Uses Bun's own API, because on Bun `node:child_process` and its streams take twice as much CPU time. A run starts one
 * such program for each task.
 */
const startWithBun = (
  { spawn }: Bun,
  program: string,
  args: readonly string[],
  { cwd, env, sameGroup, withoutErrors, output, exited, closed }: ProgramOptions,
): StartedProgram | NotStarted => {
  try {
    const child = spawn([program, ...args], {
      ...{ cwd, env: { ...env }, stdin: 'pipe', stdout: 'pipe', stderr: withoutErrors ? 'ignore' : 'pipe' },
      detached: !sameGroup,
    })
    const { stdin } = child
    const readers = [child.stdout.getReader()]
    if (child.stderr) readers.push(child.stderr.getReader())
    const read = async (reader: (typeof readers)[number], from: 'output' | 'errors'): Promise<void> => {
      for (;;) {
        const { value } = await reader.read()
        if (!value) return
        output(Buffer.from(value.buffer, value.byteOffset, value.length), from)
      }
    }
    // Reading ends with an error if the pipe is closed. What was read so far counts.
    const ended = readers.map((reader, i) =>
      read(reader, i === 0 ? 'output' : 'errors').catch(() => undefined),
    )
    void child.exited.then(async () => {
      exited(child.exitCode ?? undefined, child.signalCode ?? undefined)
      await Promise.all(ended)
      closed()
    })
    return {
      pid: child.pid,
      write: (text) =>
        withoutFailing(() => {
          stdin.write(text)
          return stdin.flush()
        }),
      closeInput: () => withoutFailing(() => stdin.end()),
      signalGroup: (signal) => signalGroup(child.pid, signal),
      stopReading: () => {
        for (const reader of readers) withoutFailing(() => reader.cancel())
      },
    }
  } catch (error) {
    return notStarted(error)
  }
}

/** Ignores errors of a pipe: a program can exit or close its input before it has read everything. */
const withoutFailing = (use: () => unknown): void => {
  try {
    Promise.resolve(use()).catch(() => undefined)
  } catch {
    // The pipe is closed.
  }
}

const startWithNode = (
  spawn: typeof import('node:child_process').spawn,
  program: string,
  args: readonly string[],
  { cwd, env, sameGroup, withoutErrors, output, exited, closed }: ProgramOptions,
): Promise<StartedProgram | NotStarted> =>
  new Promise((resolve) => {
    const errors = withoutErrors ? 'ignore' : 'pipe'
    const child = spawn(program, args, { cwd, env, detached: !sameGroup, stdio: ['pipe', 'pipe', errors] })
    const { stdin, stdout, stderr } = child as {
      stdin: Writable
      stdout: Readable
      stderr: Readable | null
    }
    stdout.on('data', (chunk: Buffer) => output(chunk, 'output'))
    stderr?.on('data', (chunk: Buffer) => output(chunk, 'errors'))
    // A program can exit or close its input before it has read everything. In that case, ignore the error of the write.
    stdin.on('error', () => undefined)
    stdout.on('error', () => undefined)
    stderr?.on('error', () => undefined)
    child.on('error', (error) => resolve(notStarted(error)))
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
  })
