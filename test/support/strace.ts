import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executable } from './cleo.ts'

const isThere = (): boolean => spawnSync('strace', ['-V']).status === 0

/** Whether strace can be used. If it is missing, tries to install it, and prints a warning if that fails. */
export const hasStrace = (): boolean => {
  if (isThere()) return true
  if (process.getuid?.() === 0)
    spawnSync('apt-get', ['install', '--yes', '--quiet', 'strace'], { stdio: 'ignore' })
  if (isThere()) return true
  console.warn('SKIPPED: strace is not installed, so opened files are not checked')
  return false
}

/** Returns the paths that a command of the built program opened to read or write, and its output. */
export const openedBy = (args: readonly string[], cwd: string): { paths: string[]; stdout: string } => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-strace-'))
  try {
    const log = join(folder, 'log')
    const watched = ['-f', '-e', 'trace=open,openat,openat2', '-o', log, ...executable.command, ...args]
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cwd, '.home'),
      USER: 'ada',
      CLEO_FORMAT: 'json',
    }
    const { status, stdout, stderr } = spawnSync('strace', watched, { cwd, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
    // O_PATH only resolves a path, and nothing can be read through it.
    const calls = readFileSync(log, 'utf8')
      .split('\n')
      .filter((call) => !call.includes('O_PATH'))
    return { paths: calls.flatMap((call) => /"((?:[^"\\]|\\.)*)"/.exec(call)?.[1] ?? []), stdout }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
