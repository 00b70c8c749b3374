import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GitCall {
  /** The process that started git. */
  parent: number
  /** The git command, such as `ls-files`. */
  name: string
  args: string[]
}

/** Makes a `git` that logs its arguments and then runs the real git. The caller puts `folder` first in PATH. */
export const countingGit = (folder: string): { folder: string; real: string; calls(): GitCall[] } => {
  const log = join(folder, 'calls')
  mkdirSync(folder, { recursive: true })
  writeFileSync(log, '')
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  writeFileSync(
    join(folder, 'git'),
    // CLEO starts some git processes at the same time. So each process writes its line with a single write, which
    // keeps the lines apart.
    `#!/bin/sh\nline=$(printf '%s\\037' "$PPID" "$@")\nprintf '%s\\n' "$line" >>${log}\nexec ${real} "$@"\n`,
  )
  chmodSync(join(folder, 'git'), 0o755)
  return {
    folder,
    real,
    calls: () => {
      const all = readFileSync(log, 'utf8').split('\n').slice(0, -1).map(callIn)
      // If the real git is /usr/bin/git, do not count `git config`. CLEO reads the settings of /usr/bin/git without
      // starting git, and runs `git config` only because this logging git has another path.
      return real === '/usr/bin/git' ? all.filter(({ name }) => name !== 'config') : all
    },
  }
}

const callIn = (line: string): GitCall => {
  const [parent, ...args] = line.split('\u001f').slice(0, -1)
  return { parent: Number(parent), name: commandIn(args), args }
}

const commandIn = (args: readonly string[]): string =>
  args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c') ?? ''
