import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache } from './compile-cache.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Runtime {
  name: string
  command: readonly [string, ...string[]]
  env?: Record<string, string | undefined>
}

/** The built program, as users run it. */
export const executable: Runtime = { name: 'executable', command: [join(root, 'dist', 'cleo')] }
export const node: Runtime = {
  name: 'node',
  command: [process.execPath, join(root, 'dist', 'cli.js')],
  env: compileCache,
}
export const runtimes: readonly Runtime[] = [executable, node]

/**
 * The built program, or the sources if there is none. Copies of the sources with a planted bug are not built. Running
 * the sources takes twelve times as much processor time.
 */
export const builtOrSource: Runtime = existsSync(executable.command[0])
  ? executable
  : {
      name: 'source',
      command: [process.execPath, join(root, 'src', 'main.ts')],
      env: compileCache,
    }

export interface RunOptions {
  cwd: string
  env?: Record<string, string>
  input?: string
}

export interface Ran {
  exit: number
  stdout: string
  stderr: string
}

export const runtimeEnvironment = (runtime: Runtime, { cwd, env }: RunOptions): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: join(cwd, '.home'),
  USER: 'ada',
  // Tests read the answers that programs get. What people see is tested in transcripts, or with --human.
  CLEO_FORMAT: 'json',
  ...runtime.env,
  ...env,
})

export const run = (runtime: Runtime, args: readonly string[], options: RunOptions): Ran => {
  const { command } = runtime
  const [program, ...first] = command
  const { status, signal, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
    cwd: options.cwd,
    env: runtimeEnvironment(runtime, options),
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  // A command closes its input when it has read enough. The EPIPE that follows is not an error.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  if (status === null) throw new Error(`${command.join(' ')} ${args.join(' ')} ended by ${signal}`)
  return { exit: status, stdout, stderr }
}

/** Like `run`, but returns a promise, for commands that race each other. */
export const start = (runtime: Runtime, args: readonly string[], options: RunOptions): Promise<Ran> => {
  const [program, ...first] = runtime.command
  const { cwd, input } = options
  return ended(spawn(program, [...first, ...args], { cwd, env: runtimeEnvironment(runtime, options) }), input)
}

/** Writes the input to a process and waits until the process ends. */
export const ended = (child: ChildProcessWithoutNullStreams, input = ''): Promise<Ran> =>
  new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit: exit ?? -1, stdout, stderr }))
    // A program can exit without reading its input.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || reject(error))
    child.stdin.end(input)
  })

/** Returns the `data` of the answer. A refusal throws an error with its message. */
export const data = <T>(ran: Ran): T => {
  const envelope = JSON.parse(ran.stdout) as { success: boolean; data: T; error?: { message: string } }
  if (!envelope.success) throw new Error(envelope.error?.message)
  return envelope.data
}
