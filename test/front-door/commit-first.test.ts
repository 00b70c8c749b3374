import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executable, type Ran, run } from '../support/cleo.ts'
import { openCompany } from './company.ts'

const author = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL']

/** Returns a function that runs a line in the agent's folder, in a shell that finds `cleo`. */
const shellIn = (folder: string) => (line: string) => {
  const env = {
    PATH: `${dirname(executable.command[0])}:${process.env['PATH']}`,
    HOME: join(folder, '..', 'home'),
    USER: 'ada',
    CLEO_FORMAT: 'json',
    ...Object.fromEntries(author.map((name) => [name, 'agent@example.invalid'])),
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' })
  return { exit: status ?? -1, stdout, stderr }
}

const errorIn = ({ stdout }: Ran) =>
  (JSON.parse(stdout) as { error: { message: string; fix: string; exit: number } }).error

describe('an agent that forgets git add', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-commit-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let tree = ''
  let sh: ReturnType<typeof shellIn>
  let receive: () => Ran

  beforeAll(() => {
    const { main, ask, worktree, spawn, receive: take } = openCompany(folder)
    const rows = [
      { key: 'epic', title: 'Accounts', type: 'epic', description: 'People sign up.' },
      {
        parent: 'epic',
        title: 'Write the form',
        description: 'Write src/form.txt.',
        files: ['src/form.txt'],
      },
    ]
    run(executable, ['add', '--batch'], { cwd: main, input: JSON.stringify(rows) })
    ask('orchestrate', 'start', '--epic', 'T001')
    tree = worktree('T002')
    spawn('T002', '--worktree', tree)
    sh = shellIn(tree)
    receive = () => take('T002', 'Implementation complete. See MANIFEST.jsonl for summary.')
  }, 60_000)

  /** Whether the tests pass in a new clone of HEAD. */
  const cloneIsGreen = () => {
    const clone = join(folder, `clone-${readdirSync(folder).length}`)
    return sh(`git clone -q . ${clone} && cd ${clone} && sh run-tests.sh`).exit === 0
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  const verify = (gate: string, evidence: string) =>
    sh(`cleo verify T002 --gate ${gate} --evidence "${evidence}" --as T002.1`)

  test('[GATE-4] is refused with the names, follows the fix word for word, and a clone of HEAD is green', () => {
    sh('cleo focus set T002 --as T002.1')
    write('src/form.txt', 'a form\n')
    write('test/form.sh', 'test -s src/form.txt\n')
    sh('git add test && git commit -qm "Write the form" -m "Task: T002"')
    expect(sh('sh run-tests.sh').exit, 'green in the folder').toBe(0)
    expect(cloneIsGreen(), 'red in a clone').toBe(false)
    const refused = errorIn(verify('testsPassed', 'tool:test'))
    expect(refused).toMatchObject({ exit: 41, message: expect.stringContaining('src/form.txt (untracked)') })
    const followed = sh(refused.fix)
    expect(followed.exit, followed.stdout + followed.stderr).toBe(0)
    expect(cloneIsGreen()).toBe(true)

    const output = JSON.parse(sh('cleo output new T002 --as T002.1').stdout) as { data: { path: string } }
    const text = readFileSync(output.data.path, 'utf8')
    writeFileSync(output.data.path, text.replace('## Summary\n', '## Summary\n\nThe form is there.\n'))
    sh('cleo manifest append --status complete --finding "src/form.txt is the form." --as T002.1')
    expect(verify('implemented', 'commit:HEAD;files:src/form.txt').exit).toBe(0)
    expect(verify('qaPassed', 'tool:lint').exit).toBe(0)
    write('src/late.txt', 'late\n')
    expect(sh('cleo complete T002 --as T002.1').exit, 'complete checks again').toBe(46)
    rmSync(join(tree, 'src/late.txt'))
    expect(sh('cleo complete T002 --as T002.1').exit).toBe(0)
    expect(receive().exit).toBe(0)
  }, 60_000)
})

test('[GATE-4] a project in a folder of a larger repository is compared with the whole of it', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-mono-'))
  try {
    const app = join(folder, 'app')
    mkdirSync(app)
    writeFileSync(join(app, 'Makefile'), '.PHONY: test\ntest:\n\t@echo "1 passed"\n')
    const sh = shellIn(app)
    sh('git -C .. init -q && git add -A && git commit -qm Begin && cleo init')
    sh('cleo add Accounts --type epic --description "People sign up."')
    sh(
      'cleo add Form --parent T001 --description "Write the form." && cleo orchestrate spawn T002 --ref --here',
    )
    sh('mkdir src ../lib && echo 1 >src/a.ts && echo 1 >../lib/b.ts && git add -A && git commit -qm Work')
    writeFileSync(join(folder, 'lib/new.ts'), 'new\n')
    const verify = 'cleo verify T002 --gate implemented --evidence "commit:HEAD;files:src/a.ts" --as T002.1'
    const refused = errorIn(sh(verify))
    expect(refused.message).toContain('../lib/new.ts (untracked)')
    const followed = sh(refused.fix)
    expect(followed.exit, followed.stdout + followed.stderr).toBe(0)
    expect(sh('cleo verify T002 --gate testsPassed --evidence "tool:test" --as T002.1').exit).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
