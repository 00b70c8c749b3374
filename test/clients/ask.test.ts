import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

/** Runs the program at a terminal, where a person types a line. */
const atTerminal = (command: string, typed: string, cwd: string): string => {
  const line = `${executable.command[0]} ${command}`
  const { stdout } = spawnSync(
    'sh',
    ['-c', `(sleep 1; echo ${typed}; sleep 2) | script -qec '${line}' /dev/null`],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: join(cwd, '.home'), USER: 'ada', NO_COLOR: '1' },
      encoding: 'utf8',
    },
  )
  return stdout
}

test.skipIf(spawnSync('script', ['--version']).error)(
  '[PROV-2] at a terminal set-up shows the changes and asks once',
  () =>
    withTemp((root) => {
      run(executable, ['init'], { cwd: root })
      const refused = atTerminal('setup cursor', 'n', root)
      expect(refused).toMatch(
        /create AGENTS\.md[\s\S]*Write these files\? \[y\/N\] n\s+Nothing was changed\./,
      )
      expect(existsSync(join(root, 'AGENTS.md'))).toBe(false)
      const agreed = atTerminal('setup cursor', 'y', root)
      expect(agreed).toMatch(
        /Write these files\? \[y\/N\] y\s+✓ \.cursor\/agents\/cleo-subagent\.md {2}created/,
      )
      expect(agreed.match(/Write these files/g)).toHaveLength(1)
      expect(existsSync(join(root, 'AGENTS.md'))).toBe(true)
      expect(atTerminal('setup cursor', 'y', root)).toMatch(/^Nothing to change\./)
    }),
)
