import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { fixOf } from './hand.ts'

const author = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL']
const output = 'claudedocs/agent-outputs/T002-sign-up-form.md'

/** Makes a project with one task that is out, and a shell that finds `cleo`, for a person or inside an agent client. */
const withTaskOut = (work: (sh: (line: string, client?: object) => Ran, folder: string) => void) =>
  withTemp(async (folder) => {
    const shop = join(folder, 'shop')
    const sh = (line: string, client: object = {}): Ran => {
      const env = {
        PATH: `${dirname(executable.command[0])}:${process.env['PATH']}`,
        HOME: join(folder, 'home'),
        USER: 'ada',
        ...Object.fromEntries(author.map((name) => [name, 'agent@example.invalid'])),
        ...client,
      }
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: shop, env, encoding: 'utf8' })
      return { exit: status ?? -1, stdout, stderr }
    }
    mkdirSync(join(shop, 'src'), { recursive: true })
    writeFileSync(join(shop, 'Makefile'), '.PHONY: test lint\ntest:\n\t@echo "1 passed"\nlint:\n\t@true\n')
    execFileSync('git', ['init', '-q', shop])
    sh('git add -A && git commit -qm Begin && cleo init')
    sh('cleo add Accounts --type epic --description "People sign up."')
    sh('cleo add "Sign-up form" --parent T001 --description "Build it." --acceptance "has a form"')
    expect(sh('cleo spawn T002 --ref --here').exit).toBe(0)
    work(sh, shop)
  })

interface Ran {
  exit: number
  stdout: string
  stderr: string
}

const inClient = { CLAUDECODE: '1' }

/** Commands that the agent of a spawn runs. Each is refused in an agent client if the agent does not name its spawn. */
const commands = [
  'cleo focus set T002',
  'cleo output new T002',
  'cleo verify T002 --gate testsPassed --evidence tool:test',
  'cleo verify T002 --criterion 1 --evidence files:src/form.sh',
  `cleo manifest append --task T002 --status complete --finding 'It is "built".'`,
  `cleo manifest append '{"id":"T002-form","status":"complete","key_findings":["It is built."]}'`,
  `cleo finish T002 --finding 'It is "built".'`,
  'cleo complete T002',
]

describe('[SESS-2] [OUT-2] an agent that forgets --as', () => {
  test('is refused whatever it runs, and the fix is the same command with --as', () =>
    withTaskOut((sh) => {
      for (const started of [false, true]) {
        if (started) expect(sh('cleo focus set T002 --as T002.1').exit).toBe(0)
        for (const command of commands) {
          const refused = sh(command, inClient)
          expect(refused, command).toMatchObject({ exit: 35, stdout: '' })
          expect(refused.stderr).toContain('If you are T002.1, add --as T002.1.')
          expect(fixOf(refused)?.replaceAll(`'`, '')).toBe(`${command.replaceAll(`'`, '')} --as T002.1`)
          // The fix must not lead back to the same refusal.
          expect(sh(fixOf(refused)!, inClient).stderr).not.toContain('If you are T002.1')
        }
      }
      const entry = sh('cleo research link T002 T002-form', inClient)
      expect(entry.stderr).toContain('If you are T002.1, add --as T002.1.')
    }))

  test('[GATE-1] comes to its end by following what is printed, from `complete` on', () =>
    withTaskOut((sh, shop) => {
      mkdirSync(join(shop, 'test'))
      for (const path of ['src/form.sh', 'test/form.sh']) writeFileSync(join(shop, path), 'echo form\n')
      sh('git add src test && git commit -qm "Build the form" -m "Task: T002"')
      let next = 'cleo complete T002'
      const ran: string[] = []
      for (; ran.length < 20 && next !== ''; ran.push(next)) {
        const answer = sh(next, inClient)
        if (answer.exit === 0 && next.startsWith('cleo complete')) break
        // After a fix that worked, try `complete` again.
        next = answer.exit === 0 ? 'cleo complete T002 --as T002.1' : filled(shop, nextOf(answer))
      }
      expect(sh('cleo show T002 --field status').stdout.trim(), ran.join('\n')).toBe('done')
    }))

  test('[GATE-1] a person may verify, and every printed fix carries the spawn', () =>
    withTaskOut((sh) => {
      const verified = sh('cleo verify T002 --gate testsPassed --evidence tool:test')
      expect(verified, verified.stderr).toMatchObject({ exit: 0 })
      const refused = sh('cleo complete T002')
      const steps = [...refused.stderr.matchAll(/^ {4,}fix: (cleo .*)$/gm)].map(([, step]) => step!)
      expect(steps.length).toBeGreaterThan(3)
      for (const step of steps) expect(step).toMatch(/ --as T002\.1$/)
      for (const step of sh('cleo verify T002').stdout.match(/^ {2}cleo .*$/gm)!)
        expect(step).toMatch(/ --as T002\.1$/)
    }))
})

const nextOf = (refused: Ran): string =>
  fixOf(refused) ?? /^ {4,}fix: (?:correct .*, then: )?(cleo .*)$/m.exec(refused.stderr)?.[1] ?? ''

/**
 * Does what only the agent can do: fills in the placeholders of a command, and the output file that the command checks.
 */
const filled = (shop: string, command: string): string => {
  if (command.startsWith('cleo output check')) {
    const path = join(shop, output)
    const text = readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nIt is built.\n')
    writeFileSync(path, text)
    return 'cleo manifest append --status complete --finding "It is built." --as T002.1'
  }
  return command
    .replaceAll('<one sentence>', 'It is built.')
    .replaceAll(/<changed files>|<paths>/g, 'src/form.sh')
}
