import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/kernel/config.ts'
import { configure } from '../support/configure.ts'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { isOver, until } from '../support/processes.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, type Sent, send } from '../support/subagent.ts'

const tests = (project: TestProject) => gate(project, 'testsPassed', 'tool:test')

/** Makes a project whose `make test` is a script, with T002 spawned. */
const withScript = (
  script: string,
  work: (sent: Sent, project: TestProject) => Promise<void>,
  config: Config = {},
): Promise<void> =>
  withProject(async (project) => {
    const { root } = project
    await configure(project, config)
    git(root, 'init', '-q', '-b', 'main')
    put(root, {
      Makefile: 'test:\n\t@./run.sh\n',
      'run.sh': `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`,
      '.gitignore': '.home/\n',
    })
    chmodSync(join(root, 'run.sh'), 0o755)
    commit(root, 'Begin')
    await addTask(project)
    await work(await send(project, 'T002'), project)
  })

describe('running a command of the project', () => {
  test('[GATE-3] records exit, counts, folder, HEAD, files and the end of the output', () =>
    withScript('echo starting; echo "12 passed, 0 failed"', async ({ as }, { root }) => {
      expect(await tests(as)).toMatchObject({
        value: {
          state: 'passed',
          evidence: ['tool:test exit 0, 12 passed'],
          worktree: root,
          head: git(root, 'rev-parse', 'HEAD'),
          tree: git(root, 'rev-parse', 'HEAD^{tree}'),
        },
      })
      const log = readFileSync(join(root, '.cleo/test-runs/T002.1-1.log'), 'utf8')
      expect(log).toContain('$ make test\n')
      expect(log).toContain('12 passed, 0 failed')
      expect(log).toContain('exited with 0')
    }))

  test('[GATE-3] a failed run is refused with tool, exit, folder, HEAD and last lines, and recorded', () =>
    withScript('echo "1 failed, 3 passed"; exit 3', async ({ as }, { root }) => {
      const head = git(root, 'rev-parse', '--short=7', 'HEAD')
      expect(await tests(as)).toMatchObject(
        refused('make test exited with', `in ${root} at ${head}`, '1 failed, 3 passed'),
      )
      expect(await gateOf(as, 'testsPassed')).toMatchObject({
        state: 'failed',
        why: expect.stringMatching(/^make test exited with \d in .* at [0-9a-f]{7}$/),
      })
      expect((await as.must('tasks.show', { id: 'T002' })).gates!['testsPassed']!.state).toBe('failed')
    }))

  test('[GATE-3] exit 0 proves nothing if the output says that tests failed or that there were none', async () => {
    await withScript('echo "Tests: 3 failed, 1 passed"', async ({ as }) => {
      expect(await tests(as)).toMatchObject(
        refused('make test exited with 0', 'but it says 3 failed, 1 passed'),
      )
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'failed' })
    })
    await withScript('echo "0 passed"', async ({ as }) => {
      expect(await tests(as)).toMatchObject(refused('but it says that it ran 0 tests'))
    })
  })

  test('[GATE-3] does not write the log through a link, and warns', () =>
    withScript('echo "1 failed"; exit 1', async ({ as }, { root }) => {
      const answer = await tests(as)
      expect(answer).toMatchObject(refused('1 failed', 'log: .cleo/test-runs/T002.1-1.log'))
      rmSync(join(root, '.cleo/test-runs'), { recursive: true })
      mkdirSync(join(root, '.home/elsewhere'), { recursive: true })
      symlinkSync(join(root, '.home/elsewhere'), join(root, '.cleo/test-runs'))
      expect(await tests(as)).toMatchObject(refused('1 failed'))
      expect(readdirSync(join(root, '.home/elsewhere'))).toEqual([])
    }))

  test('[GATE-3] a command that hangs is stopped with its child processes', () =>
    withScript(
      'sleep 300 & echo $! > .home/pid; echo waiting; sleep 300',
      async ({ as }, { root }) => {
        put(root, { '.home/x': '' })
        expect(await tests(as)).toMatchObject(refused('make test was stopped after 8 seconds', 'waiting'))
        const pid = Number(readFileSync(join(root, '.home/pid'), 'utf8'))
        await until(() => isOver(pid))
      },
      { gates: { timeout: 8 } },
    ))

  test('[GATE-3] one that prints 300 MB takes neither memory nor disk', () =>
    withScript(
      'yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 300000000; echo; echo "7 passed"',
      async ({ as }, { root }) => {
        const before = process.memoryUsage().rss
        expect(await tests(as)).toMatchObject({ value: { evidence: ['tool:test exit 0, 7 passed'] } })
        expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
        const logs = readdirSync(join(root, '.cleo/test-runs'))
        expect(logs).toHaveLength(1)
        expect(statSync(join(root, '.cleo/test-runs', logs[0]!)).size).toBeLessThan(20_000)
      },
    ))

  test('[GATE-3] a command that wants a terminal or input gets neither and ends', () =>
    withScript(
      'if read answer; then echo "read $answer"; fi; if (echo hello > /dev/tty) 2>/dev/null; then echo "a terminal"; fi; test -t 0 || echo "nobody there"; exit 1',
      async ({ as }) => {
        const answer = await tests(as)
        expect(answer).toMatchObject(refused('nobody there'))
        expect((answer as { message: string }).message).not.toMatch(/a terminal|read /)
      },
    ))

  test('[GATE-3] a command gets few environment variables, and CI=true', () =>
    withScript('env; exit 1', async ({ as }) => {
      const { message } = (await tests(as)) as { message: string }
      expect(message).toContain('CI=true')
      expect(message).not.toMatch(/CLEO|GIT_/)
    }))

  test('[GATE-3] a missing program is a failure', () =>
    withProject(async (project) => {
      const config = { commands: { test: ['no-such-program-anywhere'] } }
      put(project.root, { '.cleo/config.json': JSON.stringify(config) })
      await addTask(project)
      await project.must('admin.trust', { yes: true })
      const { as } = await send(project, 'T002')
      expect(await tests(as)).toMatchObject(refused('could not be started: there is no such program'))
    }))

  test('[GATE-3] control characters in the output are removed', () =>
    withScript('printf "\\033[2J\\033]0;owned\\007bad\\n"; exit 1', async ({ as }) => {
      const { message } = (await tests(as)) as { message: string }
      expect(message).toContain('bad')
      expect(message).not.toContain('\u001b')
    }))

  test('[GATE-4] reports and caches it writes do not make it stale; a changed tracked file does', () =>
    withScript(
      'mkdir -p cache; date +%N > cache/run.txt; date +%N > report.xml; echo ok',
      async ({ as }, { root }) => {
        expect(await tests(as)).toMatchObject({ ok: true })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
        expect(await tests(as)).toMatchObject({ ok: true })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
        put(root, { 'cache/other.txt': 'mine\n' })
        expect(await tests(as)).toMatchObject(refused('cache/other.txt (untracked)'))
      },
    ))

  test('[GATE-4] files that a run wrote for another task or an earlier time are tolerated', () =>
    withScript('test -f once.txt || echo 1 > once.txt; echo ok', async ({ as }, project) => {
      for (let i = 0; i < 3; i++) expect(await tests(as)).toMatchObject({ ok: true })
      await addTask(project)
      const other = await send(project, 'T003')
      rmSync(join(project.root, 'once.txt'))
      expect(await tests(as)).toMatchObject({ ok: true })
      expect(
        await other.as.call('verify.gate', { id: 'T003', gate: 'testsPassed', evidence: 'tool:test' }),
      ).toMatchObject({ ok: true })
    }))

  test('[GATE-4] a run during which files changed is refused', () =>
    withScript('date +%N > src.txt', async ({ as }, { root }) => {
      commit(root, 'Source', { 'src.txt': 'source\n' })
      expect(await tests(as)).toMatchObject(refused('src.txt changed while make test ran'))
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'failed' })
    }))

  test('[GATE-3] a dry run starts no program', () =>
    withScript('touch .home/ran', async ({ as }, { root }) => {
      put(root, { '.home/x': '' })
      const input = { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' }
      expect(await as.call('verify.gate', input, { dryRun: true })).toMatchObject({
        ok: true,
        warnings: ['would run: make test'],
      })
      expect(existsSync(join(root, '.home/ran'))).toBe(false)
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'unset' })
    }))
})

test('[GATE-5] a command learns where tools are installed, but no folder of the project and no other setting', () =>
  withScript('echo "$CARGO_HOME|$JAVA_HOME|$GOPATH|$NODE_OPTIONS|1 passed"', async (_, project) => {
    const { root } = project
    const env = { CARGO_HOME: '/opt/cargo', JAVA_HOME: root, GOPATH: `${root}/go`, NODE_OPTIONS: '--x' }
    const here = project.afresh({ PATH: process.env['PATH']!, ...env }).as('T002.1')
    expect(await tests(here)).toMatchObject({ ok: true })
    const log = readFileSync(join(root, '.cleo/test-runs/T002.1-1.log'), 'utf8')
    expect(log).toContain('\n/opt/cargo||||1 passed')
  }))

describe('in the worktree of the spawn', () => {
  /** Spawns T002 in a worktree. The project's tests fail in the worktree and pass in the project. */
  const withWorktree = (
    work: (sent: Sent, project: TestProject, tree: string) => Promise<void>,
  ): Promise<void> =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      const { id, task } = await send(project, 'T002', { worktree: tree })
      commit(tree, 'Break it', { Makefile: 'test:\n\t@./fail.sh\nlint:\n\t@true\n' })
      await work({ id, task, as: project.from(tree).as(id) }, project, tree)
    })

  test('[GATE-4] tests that fail in the worktree are refused even if they pass in the project', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      put(root, {
        'check.sh': '#!/bin/sh\nread it < src/state.txt\n[ "$it" = good ] && echo "1 passed"\n',
        'src/state.txt': 'good\n',
        Makefile: 'test:\n\t@./check.sh\n',
      })
      chmodSync(join(root, 'check.sh'), 0o755)
      commit(root, 'Tests')
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      const { id } = await send(project, 'T002', { worktree: tree })
      commit(tree, 'Break it', { 'src/state.txt': 'bad\n' })
      const agent = project.from(tree).as(id)
      const head = git(tree, 'rev-parse', '--short=7', 'HEAD')
      expect(await tests(agent), 'red where the agent works').toMatchObject(
        refused('make test exited with', `in ${tree} at ${head}`),
      )
      // From a subfolder of the worktree, the answer is the same, and the audit log names the worktree.
      expect(await tests(project.from(join(tree, 'src')).as(id))).toMatchObject(refused(tree))
      const { entries } = await project.must('admin.log', { operation: 'verify.gate' })
      expect(JSON.stringify(entries[0])).toContain(tree)
    }))

  test('[GATE-4] evidence of a spawn with a worktree is taken there, wherever the command is run', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      put(root, { 'check.sh': '#!/bin/sh\nread it < src/state.txt\n[ "$it" = good ] && echo "1 passed"\n' })
      put(root, { 'src/state.txt': 'bad\n', Makefile: 'test:\n\t@./check.sh\n' })
      chmodSync(join(root, 'check.sh'), 0o755)
      commit(root, 'Tests, which fail')
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      const other = join(root, '.home', 'other')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      git(root, 'worktree', 'add', '-q', '-b', 'other', other)
      const { id } = await send(project, 'T002', { worktree: tree })
      commit(tree, 'Repair it', { 'src/state.txt': 'good\n' })
      const head = git(tree, 'rev-parse', 'HEAD')
      for (const from of [root, other, join(root, 'src')]) {
        const agent = project.from(from).as(id)
        expect(await tests(agent), from).toMatchObject({ value: { state: 'passed', worktree: tree, head } })
        expect(await gate(agent, 'implemented', 'commit:HEAD;files:src/state.txt'), from).toMatchObject({
          value: { worktree: tree, head },
        })
      }
      // When a person runs the command in the project, the tests run in the worktree all the same. A commit outside
      // the worktree proves nothing.
      expect(await tests(project)).toMatchObject({ value: { worktree: tree } })
      commit(tree, 'Break it again', { 'src/state.txt': 'bad\n' })
      commit(root, 'Repair it here', { 'src/state.txt': 'good\n' })
      expect(await tests(project.as(id))).toMatchObject(refused('make test exited with', `in ${tree} at`))
    }))

  test('[GATE-4] evidence of a spawn whose worktree is gone is not taken in another folder', () =>
    withWorktree(async ({ id }, project, tree) => {
      rmSync(tree, { recursive: true })
      const answer = await tests(project.as(id))
      expect(answer).toMatchObject(refused(`T002.1 works in ${tree}, which is no longer a git worktree`))
      const { fix } = answer as unknown as { fix: string }
      execFileSync('sh', ['-c', fix], { stdio: 'ignore' })
      expect(await gate(project.as(id), 'implemented', 'commit:HEAD;files:Makefile')).toMatchObject({
        value: { worktree: tree },
      })
    }))

  test('[GATE-4] evidence from two folders does not add up', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      const { id } = await send(project, 'T002')
      expect(await tests(project.as(id))).toMatchObject({ ok: true })
      commit(tree, 'Work', { 'src/a.ts': 'export const a = 2\n' })
      const implemented = { id: 'T002', gate: 'implemented', evidence: 'commit:HEAD;files:src/a.ts' }
      await project.from(tree).as(id).must('verify.gate', implemented)
      expect(await gateOf(project, 'testsPassed')).toMatchObject({
        state: 'stale',
        why: `newer evidence is from ${tree}, so this evidence from ${root} no longer counts`,
      })
    }))

  test('[GATE-4] evidence from a deleted worktree is stale', () =>
    withWorktree(async ({ as }, project, tree) => {
      await as.must('verify.gate', {
        id: 'T002',
        gate: 'implemented',
        evidence: 'commit:HEAD;files:Makefile',
      })
      rmSync(tree, { recursive: true })
      expect(await gateOf(project, 'implemented')).toMatchObject({
        state: 'stale',
        why: `the evidence is from ${tree}, which no longer exists`,
      })
    }))
})
