import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Runtime {
  name: string
  command: readonly [string, ...string[]]
}

/** The built program, as users run it. */
export const runtimes: readonly Runtime[] = [
  { name: 'executable', command: [join(root, 'dist', 'cleo')] },
  { name: 'node', command: [process.execPath, join(root, 'dist', 'cli.js')] },
]
export const executable = runtimes[0]!

/** Runs the sources directly: mutants are not built. */
export const fromSource: Runtime = {
  name: 'source',
  command: [process.execPath, join(root, 'src', 'main.ts')],
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

const environment = ({ cwd, env }: RunOptions): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(cwd, '.home'),
  USER: 'ada',
  ...env,
})

export const run = ({ command }: Runtime, args: readonly string[], options: RunOptions): Ran => {
  const [program, ...first] = command
  const { status, signal, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
    cwd: options.cwd,
    env: environment(options),
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (error) throw error
  if (status === null) throw new Error(`${command.join(' ')} ${args.join(' ')} ended by ${signal}`)
  return { exit: status, stdout, stderr }
}

/** The same without waiting, for commands that race each other. */
export const start = ({ command }: Runtime, args: readonly string[], options: RunOptions): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const [program, ...first] = command
    const child = spawn(program, [...first, ...args], { cwd: options.cwd, env: environment(options) })
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
    child.stdin.end(options.input ?? '')
  })

/** The `data` of the answer; a refusal fails the test with its message. */
export const data = <T>(ran: Ran): T => {
  const envelope = JSON.parse(ran.stdout) as { success: boolean; data: T; error?: { message: string } }
  if (!envelope.success) throw new Error(envelope.error?.message)
  return envelope.data
}
