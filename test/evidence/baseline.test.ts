import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { onSqlite, type TestProject, type WithProject, withProject } from '../support/project.ts'
import { addTask, append, commit, git, put } from '../support/subagent.ts'

const tests = (project: TestProject) => gate(project, 'testsPassed', 'tool:test')

/** A test program that fails for each line of bad.txt. It counts its runs in a file that git ignores. */
const runner = (names: boolean) => `
const fs = require('node:fs')
fs.appendFileSync('.home/runs', 'x')
const bad = fs.readFileSync('bad.txt', 'utf8').split('\\n').filter(Boolean)
if (bad.includes('crash')) { console.log('cannot start'); process.exit(2) }
${names ? "for (const name of bad) console.log('FAILED tests/test_a.py::' + name)" : ''}
console.log('=== ' + (bad.length ? bad.length + ' failed, ' : '') + '3 passed in 0.1s ===')
process.exit(bad.length ? 1 : 0)
`

const withRed = (
  withProject: WithProject,
  work: (project: TestProject) => Promise<void>,
  { bad = 'one\n', names = true, config = { gates: { baseline: 'no-new-failures' } } as object } = {},
): Promise<void> =>
  withProject(async (project) => {
    const { root } = project
    await configure(project, config)
    put(root, { '.home/runs': '' })
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', {
      Makefile: '.PHONY: test lint\ntest:\n\t@node test/run.js\nlint:\n\t@echo ok\n',
      'test/run.js': runner(names),
      'bad.txt': bad,
      '.gitignore': '.home/\n',
    })
    // A new process reads the configuration again.
    const caller = project.afresh({ PATH: process.env['PATH']! })
    await addTask(caller)
    await addTask(caller)
    await work(caller)
  })

const runs = ({ root }: TestProject) => readFileSync(join(root, '.home/runs'), 'utf8').length
const spawn = async (project: TestProject, id = 'T002') =>
  JSON.stringify(await project.must('orchestrate.spawn', { id, ref: true, here: true }))

onSqlite((withProject) => {
  test('[GATE-5] tests that failed before the spawn do not keep a task from being done, and are shown', () =>
    withRed(withProject, async (project) => {
      const { root } = project
      expect(await spawn(project)).toContain('gates.baseline: 1 test fails at')
      const as = project.as('T002.1')
      await as.must('focus.set', { id: 'T002' })
      commit(root, 'Work\n\nTask: T002', {
        'src/form.ts': 'export const form = 1\n',
        'test/form.test.ts': '',
      })
      const shown = 'tool:test exit 2, 3 passed, 1 failed, 1 failed before the spawn too'
      expect(await tests(as)).toMatchObject({ value: { state: 'passed', evidence: [shown] } })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed', evidence: [shown] })
      expect((await as.must('tasks.show', { id: 'T002' })).gates!['testsPassed']).toEqual({
        state: 'passed',
        evidence: [shown],
      })
      await as.must('verify.gate', { id: 'T002', gate: 'qaPassed', evidence: 'tool:lint' })
      await as.must('verify.gate', {
        id: 'T002',
        gate: 'implemented',
        evidence: 'commit:HEAD;files:src/form.ts',
      })
      await append({ id: 'T002.1', task: 'T002', as })
      expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({
        ok: true,
        warnings: expect.arrayContaining(['testsPassed passed, 1 failed before the spawn too']),
      })
    }))

  test('[GATE-5] the tests run once for each commit', () =>
    withRed(withProject, async (project) => {
      await spawn(project, 'T002')
      expect(await spawn(project, 'T003')).toContain('gates.baseline: 1 test fails at')
      expect(runs(project)).toBe(1)
      await addTask(project)
      commit(project.root, 'More', { 'a.txt': '' })
      await spawn(project, 'T004')
      expect(runs(project)).toBe(2)
    }))
})

test('[GATE-5] a test that did not fail before the spawn is refused by name', () =>
  withRed(withProject, async (project) => {
    await spawn(project)
    const as = project.as('T002.1')
    for (const bad of ['two\n', 'one\ntwo\n']) {
      commit(project.root, 'Break it', { 'bad.txt': bad })
      expect(await tests(as), 'a new failure').toMatchObject(
        refused('these did not fail before the spawn: tests/test_a.py::two'),
      )
    }
    commit(project.root, 'Mend it', { 'bad.txt': '' })
    expect(await tests(as)).toMatchObject({ value: { evidence: ['tool:test exit 0, 3 passed'] } })
  }))

test('[GATE-5] without names the number decides, and the gate says so', () =>
  withRed(
    withProject,
    async (project) => {
      await spawn(project)
      const as = project.as('T002.1')
      commit(project.root, 'Other', { 'bad.txt': 'two\n' })
      expect(await tests(as)).toMatchObject({
        value: { evidence: [expect.stringContaining('(by number; the output names no tests)')] },
      })
      commit(project.root, 'More', { 'bad.txt': 'two\nthree\n' })
      expect(await tests(as)).toMatchObject(refused('2 tests failed; before the spawn 1 did'))
    },
    { names: false },
  ))

test('[GATE-5] a run without tests does not pass, and cannot be a baseline', () =>
  withRed(withProject, async (project) => {
    await spawn(project)
    commit(project.root, 'Crash', { 'bad.txt': 'crash\n' })
    expect(await tests(project.as('T002.1'))).toMatchObject(refused('make test exited with 2'))
    expect(await spawn(project, 'T003')).toContain('gates.baseline is unavailable, so all tests must pass')
  }))

test('[GATE-5] the baseline is unavailable while tracked files differ from the commit', () =>
  withRed(withProject, async (project) => {
    put(project.root, { 'bad.txt': 'one\ntwo\n' })
    expect(await spawn(project)).toContain('bad.txt differs from the commit')
    expect(runs(project)).toBe(0)
    git(project.root, 'checkout', 'bad.txt')
    expect(await tests(project.as('T002.1'))).toMatchObject(
      refused('gates.baseline is unavailable: bad.txt differs from the commit'),
    )
  }))

test('[GATE-5] a later attempt is compared with the first, not with what the first one broke', () =>
  withRed(withProject, async (project) => {
    await spawn(project)
    commit(project.root, 'Break it', { 'bad.txt': 'one\ntwo\n' })
    await project.must('tasks.update', { id: 'T002', title: 'Again' })
    expect(await spawn(project)).toContain('gates.baseline: 1 test fails at')
    expect(await tests(project.as('T002.2'))).toMatchObject(refused('these did not fail before the spawn'))
  }))

test('[GATE-5] without gates.baseline all tests must pass, and spawn runs nothing', () =>
  withRed(
    withProject,
    async (project) => {
      await spawn(project)
      expect(runs(project)).toBe(0)
      expect(await tests(project.as('T002.1'))).toMatchObject(refused('make test exited with 2'))
    },
    { config: {} },
  ))

test('[GATE-5] files that the run before the spawn wrote do not count as work', () =>
  withRed(withProject, async (project) => {
    const { root } = project
    commit(root, 'Write a report', {
      'test/run.js': `require('node:fs').writeFileSync('report.txt', '1')${runner(true)}`,
    })
    await spawn(project)
    expect(existsSync(join(root, 'report.txt'))).toBe(true)
    const as = project.as('T002.1')
    expect(await tests(as)).toMatchObject({ ok: true })
    put(root, { 'report.txt': '2' })
    expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
  }))
