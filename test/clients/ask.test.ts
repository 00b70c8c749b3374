import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
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
      env: {
        ...{ PATH: `${join(cwd, '.home/bin')}:${process.env['PATH']}`, HOME: join(cwd, '.home') },
        ...{ USER: 'ada', NO_COLOR: '1' },
      },
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

const noTerminal = spawnSync('script', ['--version']).error

test.skipIf(noTerminal)('[PROV-2] at a terminal set-up shows the changes and asks once', () =>
  withTemp(async (root) => {
    run(executable, ['init'], { cwd: root })
    const refused = await atTerminal('setup cursor', 'n', root)
    expect(refused).toMatch(/create AGENTS\.md[\s\S]*Write these files\? \[y\/N\] n\s+Nothing was changed\./)
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

test.skipIf(noTerminal).each(['clients check codex --turn', 'setup codex --check --turn'])(
  '[PROV-2] at a terminal %s asks before the turn, which costs money',
  (command) =>
    withTemp(async (root) => {
      const bin = join(root, '.home/bin')
      mkdirSync(bin, { recursive: true })
      // A stand-in for Codex that creates a file when it is started for a turn.
      const turn = join(root, 'turn')
      writeFileSync(
        join(bin, 'codex'),
        `#!/bin/sh\ncase "$1" in exec) cat > ${turn};; *) echo codex 0.166;; esac\n`,
      )
      chmodSync(join(bin, 'codex'), 0o755)
      writeFileSync(join(bin, 'cleo'), `#!/bin/sh\nexec ${executable.command[0]} "$@"\n`)
      chmodSync(join(bin, 'cleo'), 0o755)
      writeFileSync(join(root, '.home/.profile'), `PATH="${bin}:$PATH"\n`)
      run(executable, ['init'], { cwd: root })
      expect(await atTerminal(command, 'y', root), 'first what is missing').toContain('differ from')
      expect(existsSync(turn)).toBe(false)
      run(executable, ['setup', 'codex', '--yes'], { cwd: root })
      const refused = await atTerminal(command, 'n', root)
      expect(refused).toContain('Let the client make one real turn? It is charged to your account. [y/N] n')
      expect(existsSync(turn)).toBe(false)
      await atTerminal(command, 'y', root)
      expect(existsSync(turn)).toBe(true)
    }),
  120_000,
)
