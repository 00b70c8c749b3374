import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, type Sent, send } from '../support/subagent.ts'

const tests = (project: TestProject) => gate(project, 'testsPassed', 'tool:test')
const lint = (project: TestProject) => gate(project, 'qaPassed', 'tool:lint')

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
  'the command for lint was changed: it was "npm run lint → lint: node --check a.js" and is now "npm run lint → lint: true"',
)

test('[GATE-5] detected commands run without being trusted first', () =>
  withScripts(async ({ as }) => {
    expect(await lint(as)).toMatchObject({ value: { state: 'passed' } })
  }))

test('[GATE-5] a lint command set to `true` by the agent is refused, showing the change', () =>
  withScripts(async ({ as }, project) => {
    put(project.root, scripts('true'))
    const answer = await lint(as)
    expect(answer).toMatchObject({
      ...changed,
      alternatives: ['A person can answer question Q1: cleo inbox'],
    })
    expect(answer, 'an agent is not told how to accept its own change').toMatchObject({
      fix: 'cleo manifest append --status blocked --blocker "permission denied" --text "Q1 in the inbox" --as T002.1',
    })
    expect(await lint(project), 'a person is').toMatchObject({ ...changed, fix: 'cleo trust' })
    commit(project.root, 'Hide it')
    expect(await lint(as)).toMatchObject(changed)
    // A new spawn does not accept the change.
    await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
    const { as: second } = await send(project, 'T002')
    expect(await lint(second)).toMatchObject(changed)
    await project.must('admin.trust', { yes: true })
    expect(await lint(second)).toMatchObject({ ok: true })
  }))

test('[GATE-5] so is a change in its worktree, in a called script, and a removed command', () =>
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

test('[GATE-5] a trusted command must not change, even before the spawn', () =>
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

test('[GATE-5] a file with the name of a make target is refused', () =>
  withProject(async (project) => {
    repository(project.root)
    commit(project.root, 'Rules', { Makefile: 'lint:\n\t@echo "ok"\n' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    commit(project.root, 'Innocent', { lint: '' })
    expect(await lint(as)).toMatchObject(
      refused('make lint does nothing: the folder has a file or folder lint'),
    )
    commit(project.root, 'Say so', { Makefile: '.PHONY: test lint\nlint:\n\t@echo "ok"\n' })
    expect(await lint(as)).toMatchObject(
      refused('"make lint → lint: @echo "ok"" depends on Makefile, which changed'),
    )
    await project.must('admin.trust', { yes: true })
    expect(await lint(as)).toMatchObject({ ok: true })
  }))

test('[GATE-5] a target that make finds up to date is no evidence, whether a folder or a stamp makes it so', () =>
  withProject(async (project) => {
    repository(project.root)
    commit(project.root, 'Rules', {
      Makefile: 'test:\n\t@exit 1\ncheck: stamp\nstamp:\n\t@exit 1\n',
      'test/a.js': '',
      stamp: '',
    })
    await addTask(project)
    const spawned = await project.call('orchestrate.spawn', { id: 'T002', ref: true })
    expect(JSON.stringify(spawned)).toContain('make skips this target until the Makefile has the line')
    const as = project.as('T002.1')
    expect(await tests(as)).toMatchObject(refused('make test does nothing', '".PHONY: test"'))
    await project.must('admin.config.set', { key: 'commands.test', value: 'make check' })
    expect(await tests(project.afresh().as('T002.1'))).toMatchObject({
      ok: false,
      message: expect.stringContaining("it ran nothing: make: Nothing to be done for 'check'."),
    })
  }))

test('[GATE-5] refuses changed makefiles and programs that they run, naming each; tests may change', () =>
  withProject(async (project) => {
    const { root } = project
    repository(root)
    const files = {
      Makefile:
        '.PHONY: test lint\ninclude more.mk\ntest:\n\t@./run-tests.sh\nlint:\n\t@/bin/sh test/lint.sh\n',
      'more.mk': 'A=1\n',
      'run-tests.sh': '#!/bin/sh\nexit 1\n',
      'test/lint.sh': 'exit 0\n',
    }
    commit(root, 'Rules', files)
    chmodSync(join(root, 'run-tests.sh'), 0o755)
    await addTask(project)
    const { as } = await send(project, 'T002')
    expect(await lint(as)).toMatchObject({ ok: true })
    const changes = {
      Makefile: `SHELL=/bin/true\n${files.Makefile}`,
      'more.mk': 'SHELL=/bin/true\n',
      'run-tests.sh': '#!/bin/sh\n',
    }
    for (const [path, text] of Object.entries(changes)) {
      put(root, { [path]: text })
      expect(await tests(as), path).toMatchObject(refused(`depends on ${path}, which changed`))
      put(root, { [path]: files[path as keyof typeof files] })
    }
    put(root, { GNUmakefile: '.PHONY: test\ntest:\n\t@true\n' })
    expect(await tests(as)).toMatchObject(refused('it was "make test → test: @./run-tests.sh"'))
    rmSync(join(root, 'GNUmakefile'))
    commit(root, 'Test more', { 'test/lint.sh': 'exit 0 #\n' })
    expect(await lint(as)).toMatchObject({ ok: true })
  }))

test('[GATE-5] refuses a changed .npmrc and a program inside the project', () =>
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

test('[GATE-5] configured commands run once trusted, while the files they name are unchanged', () =>
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

test('[GATE-5] a gate without any tool is not applicable; another tool for it must be used', () =>
  withProject(async (project) => {
    put(project.root, { Makefile: 'build:\n\t@echo "ok"\n' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    expect(await tests(as)).toMatchObject({ value: { state: 'na', evidence: ['tool:test'] } })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'na' })
    expect(await lint(as)).toMatchObject(refused('this project has no command for lint; it has tool:build'))

    expect(
      await as.call('verify.criterion', { id: 'T002', criterion: 1, evidence: 'tool:test' }),
    ).toMatchObject({ code: 'criterion.not_found' })
    // A command added after the spawn is used, with a warning.
    put(project.root, { Makefile: 'build:\n\t@echo "ok"\ntest:\n\t@echo "1 passed"\n' })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({
      state: 'stale',
      why: 'the project has a command for test now',
    })
    expect(await tests(as)).toMatchObject({
      value: { state: 'passed' },
      warnings: [expect.stringContaining('the command for test was added after the task was spawned')],
    })
  }))
