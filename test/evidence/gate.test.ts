import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { criterion, gate, gateOf, refused, withWork } from '../support/evidence.ts'
import { onEveryStore, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[GATE-2] [GATE-3] gates are proved by what CLEO observes, with folder and commit', () =>
    withWork(withProject, async ({ as }, { root }) => {
      const head = git(root, 'rev-parse', 'HEAD')
      expect(await gate(as, 'implemented', `commit:${head.slice(0, 8)};files:src/form.ts`)).toMatchObject({
        value: {
          state: 'passed',
          evidence: ['files:src/form.ts', `commit:${head.slice(0, 7)}`],
          worktree: root,
          head,
        },
      })
      expect(await gate(as, 'testspassed', 'tool:test')).toMatchObject({
        value: { gate: 'testsPassed', state: 'passed', evidence: ['tool:test exit 0, 1 passed'], head },
      })
      expect(await gate(as, 'qaPassed', 'tool:lint')).toMatchObject({ value: { state: 'passed' } })
      expect(await gate(as, 'cleanupDone', 'note:removed the old form')).toMatchObject({
        value: { state: 'passed' },
      })
      expect(await gate(as, 'documented', 'url:https://a.example/form')).toMatchObject({
        value: { state: 'passed' },
      })
      expect(await gate(as, 'securityPassed', 'note:no new dependency')).toMatchObject({
        value: { state: 'passed' },
      })
      const { gates } = await as.must('tasks.show', { id: 'T002' })
      expect(Object.values(gates!).map(({ state }) => state)).toEqual(Array(6).fill('passed'))
      const { entries } = await as.must('admin.log', { operation: 'verify.gate' })
      expect(entries).toHaveLength(6)
    }))
})

test('[GATE-3] an unknown gate is refused with the nearest name', () =>
  withWork(withProject, async ({ as }) => {
    expect(await gate(as, 'testPassed', 'tool:test')).toMatchObject({
      code: 'gate.unknown',
      exit: 42,
      message: 'There is no gate "testPassed". Did you mean testsPassed?',
    })
    expect(await gate(as, '__proto__', 'tool:test')).toMatchObject({ code: 'gate.unknown' })
  }))

test('[GATE-3] refuses commits that do not exist, are not commits, or are on another branch', () =>
  withWork(withProject, async ({ as }, { root }) => {
    git(root, 'checkout', '-q', '-b', 'other', 'HEAD~1')
    const other = commit(root, 'Elsewhere', { 'src/other.ts': 'x\n' })
    git(root, 'checkout', '-q', 'main')
    const blob = git(root, 'rev-parse', 'HEAD:src/form.ts')
    const files = 'files:src/form.ts'
    expect(await gate(as, 'implemented', `commit:${'0'.repeat(40)};${files}`)).toMatchObject(
      refused('there is no commit'),
    )
    expect(await gate(as, 'implemented', `commit:${blob};${files}`)).toMatchObject(
      refused('there is no commit'),
    )
    expect(await gate(as, 'implemented', `commit:${other};${files}`)).toMatchObject(
      refused(`is not in the history of ${root} at ${git(root, 'rev-parse', '--short=7', 'HEAD')}`),
    )
    expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'unset' })
  }))

test('[GATE-3] refuses missing, outside, linked and uncommitted files, all at once', () =>
  withWork(withProject, async ({ as }, { root }) => {
    put(root, { 'src/new.ts': 'new\n', '.env': 'KEY=1\n', 'src/form.ts': 'export const form = 2\n' })
    symlinkSync('/etc/hosts', join(root, 'src/link.ts'))
    mkdirSync(join(root, 'src/folder'))
    linkSync(join(root, 'src/a.ts'), join(root, 'src/second.ts'))
    const named =
      '../x,/etc/hosts,src/none.ts,src/link.ts,src/folder,.env,.git/config,src/second.ts,src/new.ts,src/form.ts,src/\u0000'
    const answer = await gate(as, 'implemented', `commit:HEAD;files:${named}`)
    expect(answer).toMatchObject({ code: 'evidence.invalid', exit: 41 })
    const problemOf = Object.fromEntries(
      (answer as { problems: { message: string }[] }).problems.map(({ message }) => [
        message.split(' ')[0]!,
        message,
      ]),
    )
    expect(problemOf['../x']).toContain('points outside its folder')
    expect(problemOf['/etc/hosts']).toContain('is an absolute path')
    expect(problemOf['src/none.ts']).toContain('does not exist')
    expect(problemOf['src/link.ts']).toContain('is a link')
    expect(problemOf['src/folder']).toContain('is not a regular file')
    expect(problemOf['.git/config']).toContain('belongs to git or CLEO')
    expect(problemOf['src/second.ts']).toContain('has another hard link')
    expect(problemOf['not']).toContain('src/form.ts (changed)')
    expect(problemOf['not']).toContain('src/new.ts (untracked)')
    expect(problemOf['not']).toContain('.env (untracked)')
    expect(problemOf['src/\u0000']).toContain('is not a plain path')
  }))

test('[GATE-3] work on files that are named like secrets is accepted: only their hash is stored', () =>
  withWork(withProject, async ({ as }, { root }) => {
    const files = ['src/credentials.ts', 'src/env/key/p8/index.ts', 'test/secrets.test.ts', '.env.example']
    commit(root, 'Rotate', Object.fromEntries(files.map((path) => [path, 'KEY=\n'])))
    expect(await gate(as, 'implemented', `commit:HEAD;files:${files.join(',')}`)).toMatchObject({ ok: true })
    expect(await criterion(as, 1, `files:${files[2]}`)).toMatchObject({ ok: true })
  }))

test('[GATE-3] warns about a commit older than the first spawn, also in later attempts', () =>
  withWork(withProject, async ({ as }, project) => {
    const older = { warnings: [expect.stringMatching(/^commit [0-9a-f]{7} is older than the first spawn/)] }
    expect(await gate(as, 'implemented', 'commit:HEAD~1;files:src/form.ts')).toMatchObject(older)
    expect(await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')).not.toHaveProperty('warnings.0')
    await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
    const { as: second } = await send(project, 'T002')
    expect(await gate(second, 'implemented', 'commit:HEAD;files:src/form.ts')).not.toHaveProperty(
      'warnings.0',
    )
    expect(await gate(second, 'implemented', 'commit:HEAD~1;files:src/form.ts')).toMatchObject(older)
  }))

test('[GATE-3] refuses a report unless the configuration allows reports', () =>
  withWork(withProject, async ({ as }, { root }) => {
    put(root, { 'report.xml': '<testsuite><testcase name="a"/></testsuite>' })
    expect(await gate(as, 'testsPassed', 'test-run:report.xml')).toMatchObject(
      refused('an agent could write a report itself'),
    )
  }))

test('[GATE-3] where reports count, failed, empty and broken ones are refused; a good one is shown as reported', () =>
  withProject(async (project) => {
    await configure(project, { gates: { reports: true } })
    repository(project.root)
    await addTask(project)
    const { as } = await send(project, 'T002')
    put(project.root, {
      'good.xml': '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>',
      'red.xml': '<testsuite><testcase name="a"><failure/></testcase></testsuite>',
      'none.xml': '<testsuite></testsuite>',
      'bad.xml': 'all green, trust me',
    })
    expect(await gate(as, 'testsPassed', 'test-run:red.xml')).toMatchObject(refused('1 of 1 tests as failed'))
    expect(await gate(as, 'testsPassed', 'test-run:none.xml')).toMatchObject(refused('lists no test'))
    expect(await gate(as, 'testsPassed', 'test-run:bad.xml')).toMatchObject({ exit: 41 })
    expect(await gate(as, 'testsPassed', 'test-run:gone.xml')).toMatchObject(refused('does not exist'))
    expect(await gate(as, 'testsPassed', 'test-run:good.xml')).toMatchObject({
      value: { state: 'passed', evidence: ['test-run:good.xml reported, 2 passed'] },
    })
    put(project.root, { 'good.xml': '<testsuite><testcase name="a"/></testsuite>' })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale', why: 'good.xml changed' })
  }))

test('[GATE-1] refuses evidence for closed and unknown tasks, and for those of other agents', () =>
  withWork(withProject, async ({ as }, project) => {
    expect(
      await project.call('verify.gate', { id: 'T099', gate: 'cleanupDone', evidence: 'note:x' }),
    ).toMatchObject({ code: 'task.not_found' })
    const other = await send(project, await addTask(project))
    expect(await gate(other.as, 'cleanupDone', 'note:x')).toMatchObject({
      code: 'task.foreign',
      exit: 64,
    })
    await as.must('focus.set', { id: 'T002' })
    // An agent may verify the subtasks of its task, except those on which another agent works.
    const part = await addTask(project, { title: 'Part', parent: other.task })
    await project.as('bob').must('focus.set', { id: part })
    const verify = { id: part, gate: 'cleanupDone', evidence: 'note:x' }
    expect(await other.as.call('verify.gate', verify)).toMatchObject({ code: 'claim.held' })
    await project.must('tasks.cancel', { id: 'T002', reason: 'no' })
    expect(await gate(project, 'cleanupDone', 'note:x')).toMatchObject({ code: 'task.status' })
  }))

test('[GATE-3] hooks and monitors of the repository do not run', () =>
  withWork(withProject, async ({ as }, { root }) => {
    const trap = join(root, '.home', 'trap.sh')
    put(root, { '.home/trap.sh': `#!/bin/sh\necho "$0" >> ${root}/.home/trapped\n` })
    chmodSync(trap, 0o755)
    git(root, 'config', 'core.fsmonitor', trap)
    git(root, 'config', 'core.hooksPath', join(root, '.home/hooks'))
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
      put(root, { [`.home/hooks/${hook}`]: readFileSync(trap, 'utf8') })
    execFileSync('chmod', ['-R', '755', join(root, '.home/hooks')])
    expect(await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')).toMatchObject({ ok: true })
    expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject({ ok: true })
    await as.must('verify.view', { id: 'T002' })
    expect(() => readFileSync(join(root, '.home/trapped'))).toThrow('ENOENT')
  }))

test('[GATE-3] without git, files alone prove the work and go stale when they change', () =>
  withProject(async (project) => {
    put(project.root, { 'src/a.ts': 'a\n', Makefile: 'test:\n\t@echo "ok"\n' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    expect(await gate(as, 'implemented', 'files:src/a.ts')).toMatchObject(
      refused('src/a.ts did not change since T002.1 was spawned', 'T002 --waive --gate implemented'),
    )
    put(project.root, { 'src/a.ts': 'better\n' })
    expect(await gate(as, 'implemented', 'commit:HEAD;files:src/a.ts')).toMatchObject(
      refused('is not in a git repository'),
    )
    expect(await gate(as, 'implemented', 'files:src/a.ts')).toMatchObject({ value: { state: 'passed' } })
    expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject({ value: { state: 'passed' } })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
    writeFileSync(join(project.root, 'src/a.ts'), 'b\n')
    expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'stale', why: 'src/a.ts changed' })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
  }))
