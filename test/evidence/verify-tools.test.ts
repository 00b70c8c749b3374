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
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, type Sent, send } from '../support/subagent.ts'

const tests = (project: TestProject) =>
  project.call('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' })
const lint = (project: TestProject) =>
  project.call('verify.gate', { id: 'T002', gate: 'qaPassed', evidence: 'tool:lint' })
const gateOf = async (project: TestProject, name: string) =>
  (await project.must('verify.view', { id: 'T002' })).gates.find(({ gate }) => gate === name)

/** A project whose `make test` is a script, with T002 handed out. */
const withScript = (
  script: string,
  work: (sent: Sent, project: TestProject) => Promise<void>,
  config: object = {},
): Promise<void> =>
  withProject(async (project) => {
    const { root } = project
    put(root, { '.cleo/config.json': JSON.stringify(config) })
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

const refused = (...words: string[]) => ({
  ok: false,
  code: 'evidence.invalid',
  exit: 41,
  message: expect.stringMatching(
    new RegExp(words.map((word) => word.replace(/[.[\]()/]/g, '\\$&')).join('[^]*')),
  ),
})

describe('running what a project tests itself with', () => {
  test('[GATE-3] exit, counts, folder, HEAD, files and the end of the output are kept', () =>
    withScript('echo starting; echo "12 passed, 0 failed"', async ({ as }, { root }) => {
      expect(await tests(as)).toMatchObject({
        value: {
          state: 'passed',
          evidence: ['tool:test exit 0, 12 passed'],
          worktree: root,
          head: git(root, 'rev-parse', 'HEAD'),
          tree: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      })
      const log = readFileSync(join(root, '.cleo/test-runs/T002.1-1.log'), 'utf8')
      expect(log).toContain('$ make test\n')
      expect(log).toContain('12 passed, 0 failed')
      expect(log).toContain('ended with 0')
    }))

  test('[GATE-3] red is refused with tool, exit, folder, HEAD and last lines, and is on record', () =>
    withScript('echo "1 failed, 3 passed"; exit 3', async ({ as }, { root }) => {
      const head = git(root, 'rev-parse', '--short=7', 'HEAD')
      expect(await tests(as)).toMatchObject(
        refused('make test ended with', `in ${root} at ${head}`, '1 failed, 3 passed'),
      )
      expect(await gateOf(as, 'testsPassed')).toMatchObject({
        state: 'failed',
        why: expect.stringMatching(/^make test ended with \d in .* at [0-9a-f]{7}$/),
      })
      expect((await as.must('tasks.show', { id: 'T002' })).gates!['testsPassed']!.state).toBe('failed')
    }))

  test('[GATE-3] one that ends well and says that tests failed, or that there were none, proves nothing', async () => {
    await withScript('echo "Tests: 3 failed, 1 passed"', async ({ as }) => {
      expect(await tests(as)).toMatchObject(
        refused('make test ended with 0', 'but it says 3 failed, 1 passed'),
      )
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'failed' })
    })
    await withScript('echo "0 passed"', async ({ as }) => {
      expect(await tests(as)).toMatchObject(refused('but it says that it ran 0 tests'))
    })
  })

  test('[GATE-3] its output is not written through a link, and is told where it is kept', () =>
    withScript('echo "1 failed"; exit 1', async ({ as }, { root }) => {
      const answer = await tests(as)
      expect(answer).toMatchObject(refused('1 failed', 'kept in .cleo/test-runs/T002.1-1.log'))
      rmSync(join(root, '.cleo/test-runs'), { recursive: true })
      mkdirSync(join(root, '.home/elsewhere'), { recursive: true })
      symlinkSync(join(root, '.home/elsewhere'), join(root, '.cleo/test-runs'))
      expect(await tests(as)).toMatchObject(refused('1 failed'))
      expect(readdirSync(join(root, '.home/elsewhere'))).toEqual([])
    }))

  test('[GATE-3] one that hangs is stopped with all it started', () =>
    withScript(
      'sleep 300 & echo $! > .home/pid; echo waiting; sleep 300',
      async ({ as }, { root }) => {
        put(root, { '.home/x': '' })
        expect(await tests(as)).toMatchObject(refused('make test was stopped after 1 seconds', 'waiting'))
        const pid = Number(readFileSync(join(root, '.home/pid'), 'utf8'))
        expect(isAlive(pid)).toBe(false)
      },
      { gates: { timeout: 1 } },
    ))

  test(
    '[GATE-3] one that prints 1 GB takes neither memory nor disk',
    () =>
      withScript(
        'yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 1000000000; echo; echo "7 passed"',
        async ({ as }, { root }) => {
          const before = process.memoryUsage().rss
          expect(await tests(as)).toMatchObject({ value: { evidence: ['tool:test exit 0, 7 passed'] } })
          expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20)
          const logs = readdirSync(join(root, '.cleo/test-runs'))
          expect(logs).toHaveLength(1)
          expect(statSync(join(root, '.cleo/test-runs', logs[0]!)).size).toBeLessThan(20_000)
        },
      ),
    60_000,
  )

  test('[GATE-3] one that needs a terminal or an answer finds neither, and ends', () =>
    withScript(
      'if read answer; then echo "read $answer"; fi; if (echo hello > /dev/tty) 2>/dev/null; then echo "a terminal"; fi; test -t 0 || echo "nobody there"; exit 1',
      async ({ as }) => {
        const answer = await tests(as)
        expect(answer).toMatchObject(refused('nobody there'))
        expect((answer as { message: string }).message).not.toMatch(/a terminal|read /)
      },
    ))

  test('[GATE-3] it gets a short list of variables and knows that nobody watches', () =>
    withScript('env; exit 1', async ({ as }) => {
      const { message } = (await tests(as)) as { message: string }
      expect(message).toContain('CI=true')
      expect(message).not.toMatch(/CLEO|GIT_/)
    }))

  test('[GATE-3] a program that is not there is told, not taken for success', () =>
    withProject(async (project) => {
      const config = { commands: { test: ['no-such-program-anywhere'] } }
      put(project.root, { '.cleo/config.json': JSON.stringify(config) })
      await addTask(project)
      await project.must('admin.trust', { yes: true })
      const { as } = await send(project, 'T002')
      expect(await tests(as)).toMatchObject(refused('could not be started: there is no such program'))
    }))

  test('[GATE-3] what it prints cannot act on a terminal', () =>
    withScript('printf "\\033[2J\\033]0;owned\\007bad\\n"; exit 1', async ({ as }) => {
      const { message } = (await tests(as)) as { message: string }
      expect(message).toContain('bad')
      expect(message).not.toContain('\u001b')
    }))

  test('[GATE-4] reports and caches it leaves behind do not make it stale, a tracked file does', () =>
    withScript(
      'mkdir -p cache; date +%N > cache/run.txt; date +%N > report.xml; echo ok',
      async ({ as }, { root }) => {
        expect(await tests(as)).toMatchObject({ ok: true })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
        expect(await tests(as)).toMatchObject({ ok: true })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
        put(root, { 'cache/other.txt': 'mine\n' })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({
          state: 'stale',
          why: 'cache/other.txt changed after the run',
        })
      },
    ))

  test('[GATE-4] files that change while it runs have not been tested', () =>
    withScript('date +%N > src.txt', async ({ as }, { root }) => {
      commit(root, 'Source', { 'src.txt': 'source\n' })
      expect(await tests(as)).toMatchObject(refused('src.txt changed while make test ran'))
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'failed' })
    }))

  test('[GATE-3] a dry run starts nothing', () =>
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

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // One that has ended and waits to be buried counts as dead.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('where it is taken', () => {
  /** T002 was sent to a worktree of its own; its tests are red there and green in the project. */
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

  test('[GATE-4] red code in a worktree while main is green is refused, naming folder and HEAD', () =>
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
        refused('make test ended with', `in ${tree} at ${head}`),
      )
      // From a folder inside it is the same, and what it was about is on record.
      expect(await tests(project.from(join(tree, 'src')).as(id))).toMatchObject(refused(tree))
      const { entries } = await project.must('admin.log', { operation: 'verify.gate' })
      expect(JSON.stringify(entries[0])).toContain(tree)
    }))

  test('[GATE-4] green tests elsewhere cannot stand in for the worktree', () =>
    withWorktree(async ({ id }, project, tree) => {
      const elsewhere = `T002.1 works in ${tree}; this was asked for in ${project.root}`
      expect(await tests(project.as(id))).toMatchObject(refused(elsewhere))
      expect(await tests(project)).toMatchObject(refused(elsewhere))
    }))

  test('[GATE-4] evidence of two folders does not add up', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      const { id } = await send(project, 'T002')
      expect(await tests(project.as(id))).toMatchObject({ ok: true })
      const implemented = { id: 'T002', gate: 'implemented', evidence: 'commit:HEAD;files:src/a.ts' }
      await project.from(tree).as(id).must('verify.gate', implemented)
      expect(await gateOf(project, 'testsPassed')).toMatchObject({
        state: 'stale',
        why: `taken in ${root}, while newer evidence is of ${tree}`,
      })
    }))

  test('[GATE-4] a worktree that is gone takes its evidence with it', () =>
    withWorktree(async ({ as }, project, tree) => {
      await as.must('verify.gate', {
        id: 'T002',
        gate: 'implemented',
        evidence: 'commit:HEAD;files:Makefile',
      })
      rmSync(tree, { recursive: true })
      expect(await gateOf(project, 'implemented')).toMatchObject({
        state: 'stale',
        why: `${tree}, where it was taken, is gone`,
      })
    }))
})

describe('commands are pinned', () => {
  const scripts = (lint: string, more: object = {}) => ({
    'package.json': JSON.stringify({ scripts: { lint, test: 'node --version', ...more } }),
  })
  const withScripts = (work: (sent: Sent, project: TestProject) => Promise<void>) =>
    withProject(async (project) => {
      git(project.root, 'init', '-q', '-b', 'main')
      commit(project.root, 'Begin', { ...scripts('node --check a.js'), 'a.js': '', '.gitignore': '.home/\n' })
      await addTask(project)
      await work(await send(project, 'T002'), project)
    })
  const changed = refused(
    'the command for lint was changed: it was "npm run lint → lint: node --check a.js" and is "npm run lint → lint: true"',
  )

  test('[GATE-5] an ordinary project needs no ceremony', () =>
    withScripts(async ({ as }) => {
      expect(await lint(as)).toMatchObject({ value: { state: 'passed' } })
    }))

  test('[GATE-5] a lint command set to `true` by the agent is refused, showing the change', () =>
    withScripts(async ({ as }, project) => {
      put(project.root, scripts('true'))
      expect(await lint(as)).toMatchObject({ ...changed, fix: 'cleo trust' })
      commit(project.root, 'Hide it')
      expect(await lint(as)).toMatchObject(changed)
      // Sent again, the agent that follows finds it as it was.
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as: second } = await send(project, 'T002')
      expect(await lint(second)).toMatchObject(changed)
      await project.must('admin.trust', { yes: true })
      expect(await lint(second)).toMatchObject({ ok: true })
    }))

  test('[GATE-5] so is one in its own worktree, one that a script calls, and one that is taken away', () =>
    withProject(async (project) => {
      const { root } = project
      git(root, 'init', '-q', '-b', 'main')
      commit(root, 'Begin', {
        ...scripts('npm run deep', { deep: 'node --check a.js' }),
        'a.js': '',
        '.gitignore': '.home/\n',
      })
      await addTask(project)
      const tree = join(root, '.home', 'tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      const { id } = await send(project, 'T002', { worktree: tree })
      const agent = project.from(tree).as(id)
      put(tree, scripts('npm run deep', { deep: 'true' }))
      expect(await lint(agent)).toMatchObject(refused('was changed', 'deep: node --check a.js', 'deep: true'))
      put(tree, { 'package.json': '{}' })
      expect(await lint(agent)).toMatchObject(refused('the command for lint was removed'))
      expect(await tests(agent)).toMatchObject(refused('the command for test was removed; it was npm test'))
    }))

  test('[GATE-5] what a person has trusted is the measure, also of what came before the spawn', () =>
    withProject(async (project) => {
      const { root } = project
      git(root, 'init', '-q', '-b', 'main')
      commit(root, 'Begin', { ...scripts('node --check a.js'), 'a.js': '', '.gitignore': '.home/\n' })
      await addTask(project)
      await project.must('admin.trust', { yes: true })
      commit(root, 'Another agent was here', scripts('true'))
      const spawned = await project.must('orchestrate.spawn', { id: 'T002', ref: true })
      expect(JSON.stringify(spawned)).toContain('the command for lint has changed since it was trusted')
      expect(await lint(project.as('T002.1'))).toMatchObject(changed)
    }))

  test('[GATE-5] a file that keeps make from running anything is no way round', () =>
    withProject(async (project) => {
      repository(project.root)
      commit(project.root, 'Rules', { Makefile: 'lint:\n\t@echo "ok"\n' })
      await addTask(project)
      const { as } = await send(project, 'T002')
      commit(project.root, 'Innocent', { lint: '' })
      expect(await lint(as)).toMatchObject(refused('make lint does nothing: the folder has a file lint'))
      commit(project.root, 'Say so', { Makefile: '.PHONY: test lint\nlint:\n\t@echo "ok"\n' })
      expect(await lint(as)).toMatchObject(
        refused('"make lint → lint: @echo "ok"" depends on Makefile, which changed'),
      )
      await project.must('admin.trust', { yes: true })
      expect(await lint(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-5] other rules than those it was sent with, each named; what they run are tests to write', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      const files = {
        Makefile: '.PHONY: test lint\ninclude more.mk\ntest:\n\t@./run-tests.sh\nlint:\n\t@/bin/sh lint.sh\n',
        'more.mk': 'A=1\n',
        'run-tests.sh': '#!/bin/sh\nexit 1\n',
        'lint.sh': 'exit 0\n',
      }
      commit(root, 'Rules', files)
      chmodSync(join(root, 'run-tests.sh'), 0o755)
      await addTask(project)
      const { as } = await send(project, 'T002')
      expect(await lint(as)).toMatchObject({ ok: true })
      const changes = {
        GNUmakefile: 'test:\n\t@true\n',
        Makefile: `SHELL=/bin/true\n${files.Makefile}`,
        'more.mk': 'SHELL=/bin/true\n',
      }
      for (const [path, text] of Object.entries(changes)) {
        put(root, { [path]: text })
        expect(await tests(as), path).toMatchObject(refused(`depends on ${path}, which changed`))
        if (path in files) put(root, { [path]: files[path as keyof typeof files] })
        else rmSync(join(root, path))
      }
      put(root, { 'lint.sh': 'exit 0 #\n' })
      expect(await lint(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-5] the shell of a package manager, and a program that comes with the work', () =>
    withScripts(async ({ id }, project) => {
      const { root } = project
      put(root, { '.npmrc': 'script-shell=/bin/true\n' })
      expect(await lint(project.as(id))).toMatchObject(refused('depends on .npmrc, which changed'))
      rmSync(join(root, '.npmrc'))
      put(root, { 'bin/npm': '#!/bin/sh\n' })
      chmodSync(join(root, 'bin/npm'), 0o755)
      const own = project.afresh({ PATH: `${root}/bin:/usr/bin:/bin` }).as(id)
      expect(await lint(own)).toMatchObject(
        refused(`npm resolves to ${root}/bin/npm, which is part of the project`),
      )
    }))

  test('[GATE-5] configured commands run once trusted, with the files they name as they are in the folder', () =>
    withProject(async (project) => {
      const { root } = project
      put(root, { '.cleo/config.json': JSON.stringify({ commands: { lint: ['./lint.sh'] } }) })
      put(root, { 'lint.sh': '#!/bin/sh\nexit 0\n', '.gitignore': '.home/\n' })
      chmodSync(join(root, 'lint.sh'), 0o755)
      git(root, 'init', '-q', '-b', 'main')
      commit(root, 'Begin')
      await addTask(project)
      const { as } = await send(project, 'T002')
      expect(await lint(as)).toMatchObject(refused('the command for lint is not trusted: ./lint.sh'))
      await project.must('admin.trust', { yes: true })
      expect(await lint(as)).toMatchObject({ ok: true })
      put(root, { 'lint.sh': '#!/bin/sh\ntrue\n' })
      expect(await lint(as)).toMatchObject(refused('the command for lint has changed since it was trusted'))
    }))

  test('[GATE-5] a project without the tool gets not applicable, on record; with another one it is to be used', () =>
    withProject(async (project) => {
      put(project.root, { Makefile: 'build:\n\t@echo "ok"\n' })
      await addTask(project)
      const { as } = await send(project, 'T002')
      expect(await tests(as)).toMatchObject({ value: { state: 'na', evidence: ['tool:test'] } })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'na' })
      expect(await lint(as)).toMatchObject(refused('this project has no command for lint; it has tool:build'))
      // What proves a criterion has to be there.
      expect(
        await as.call('verify.criterion', { id: 'T002', criterion: 1, evidence: 'tool:test' }),
      ).toMatchObject({ code: 'criterion.not_found' })
      // A command that comes later than the task cannot be weaker than none; that it did is told.
      put(project.root, { Makefile: 'build:\n\t@echo "ok"\ntest:\n\t@echo "1 passed"\n' })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({
        state: 'stale',
        why: 'the project has a command for test by now',
      })
      expect(await tests(as)).toMatchObject({
        value: { state: 'passed' },
        warnings: [expect.stringContaining('the command for test was added after the task was spawned')],
      })
    }))
})
