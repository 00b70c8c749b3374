import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

/** Runs the program at a terminal, where a person types a line once the program asks. */
const atTerminal = (command: string, typed: string, cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const line = `${executable.command[0]} ${command}`
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: join(cwd, '.home'), USER: 'ada', NO_COLOR: '1' },
    })
    let printed = ''
    let isAsked = false
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
      if (isAsked || !printed.includes('[y/N]')) return
      isAsked = true
      child.stdin.write(`${typed}\n`)
    })
    child.on('error', reject)
    child.on('close', () => resolve(printed))
  })

test.skipIf(spawnSync('script', ['--version']).error)(
  '[PROV-2] at a terminal set-up shows the changes and asks once',
  () =>
    withTemp(async (root) => {
      run(executable, ['init'], { cwd: root })
      const refused = await atTerminal('setup cursor', 'n', root)
      expect(refused).toMatch(
        /create AGENTS\.md[\s\S]*Write these files\? \[y\/N\] n\s+Nothing was changed\./,
      )
      expect(existsSync(join(root, 'AGENTS.md'))).toBe(false)
      const agreed = await atTerminal('setup cursor', 'y', root)
      expect(agreed).toMatch(
        /Write these files\? \[y\/N\] y\s+✓ \.cursor\/agents\/cleo-subagent\.md {2}created/,
      )
      expect(agreed.match(/Write these files/g)).toHaveLength(1)
      expect(existsSync(join(root, 'AGENTS.md'))).toBe(true)
      expect(await atTerminal('setup cursor', 'y', root)).toMatch(/^Nothing to change\./)
    }),
)
