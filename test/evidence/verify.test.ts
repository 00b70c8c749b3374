import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onEveryStore, type TestProject, type WithProject, withProject } from '../support/project.ts'
import { addTask, commit, git, handIn, put, repository, type Sent, send } from '../support/subagent.ts'

/** A repository with T002 handed out and worked on: one commit, one file. */
const withWork = (
  withProject: WithProject,
  work: (sent: Sent, project: TestProject) => Promise<void>,
  task: object = {},
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses', 'stores a hash'], ...task })
    const sent = await send(project, 'T002')
    commit(project.root, 'Build the form', { 'src/form.ts': 'export const form = 1\n' })
    await work(sent, project)
  })

const gate = (project: TestProject, name: string, evidence: string) =>
  project.call('verify.gate', { id: 'T002', gate: name, evidence })
const criterion = (project: TestProject, n: number, evidence: string) =>
  project.call('verify.criterion', { id: 'T002', criterion: n, evidence })

const stateOf = async (project: TestProject, name: string) =>
  (await project.must('verify.view', { id: 'T002' })).gates.find((each) => each.gate === name)

const refused = (message: string) => ({
  ok: false,
  code: 'evidence.invalid',
  exit: 41,
  message: expect.stringContaining(message),
})

onEveryStore((withProject) => {
  test('[GATE-2] [GATE-3] gates are proved by what CLEO sees itself, and it says where', () =>
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

  test('[GATE-6] criteria are met, not met, or waived by a person', () =>
    withWork(withProject, async ({ as }, project) => {
      expect(await criterion(as, 1, 'files:src/form.ts;note:line 1')).toMatchObject({
        value: { state: 'passed', text: 'checks addresses' },
      })
      expect(
        await as.call('verify.criterion', {
          id: 'T002',
          criterion: 2,
          unmet: true,
          reason: 'no library yet',
        }),
      ).toMatchObject({ value: { state: 'failed' } })
      const states = async () =>
        (await as.must('tasks.show', { id: 'T002' })).acceptance!.map(({ state }) => state)
      expect(await states()).toEqual(['met', 'unmet'])
      const waiver = { id: 'T002', criterion: 2, reason: 'covered by T009' }
      expect(await as.call('verify.waive', waiver)).toMatchObject({
        ok: false,
        code: 'person.needed',
        exit: 64,
      })
      await project.must('verify.waive', waiver)
      expect(await states()).toEqual(['met', 'waived'])
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([
        { state: 'met' },
        { state: 'waived' },
      ])
    }))

  test('[GATE-6] a criterion whose text is changed is open again, and one that moves keeps its proof', () =>
    withWork(withProject, async ({ as }, project) => {
      await criterion(as, 2, 'files:src/form.ts')
      await project.must('tasks.update', { id: 'T002', removeAcceptance: ['checks addresses'] })
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([
        { n: 1, text: 'stores a hash', state: 'met' },
      ])
      await project.must('tasks.update', { id: 'T002', acceptance: ['stores a slow hash'] })
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([{ n: 1, state: 'open' }])
    }))
})

describe('what is refused', () => {
  test('[GATE-3] an unknown gate, with the nearest name', () =>
    withWork(withProject, async ({ as }) => {
      expect(await gate(as, 'testPassed', 'tool:test')).toMatchObject({
        code: 'gate.unknown',
        exit: 42,
        message: 'There is no gate "testPassed". Did you mean testsPassed?',
      })
      expect(await gate(as, '__proto__', 'tool:test')).toMatchObject({ code: 'gate.unknown' })
    }))

  test('[GATE-3] commits that are not there, not commits, or of another line of work', () =>
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
      expect(await stateOf(as, 'implemented')).toMatchObject({ state: 'unset' })
    }))

  test('[GATE-3] files that are missing, outside, links, folders, secrets or not committed, all at once', () =>
    withWork(withProject, async ({ as }, { root }) => {
      put(root, { 'src/new.ts': 'new\n', '.env': 'KEY=1\n', 'src/form.ts': 'export const form = 2\n' })
      symlinkSync('/etc/hosts', join(root, 'src/link.ts'))
      mkdirSync(join(root, 'src/folder'))
      linkSync(join(root, 'src/a.ts'), join(root, 'src/second.ts'))
      const named =
        '../x,/etc/hosts,src/none.ts,src/link.ts,src/folder,.env,.git/config,src/second.ts,src/new.ts,src/form.ts,src/\u0000'
      const answer = await gate(as, 'implemented', `commit:HEAD;files:${named}`)
      expect(answer).toMatchObject({ code: 'evidence.invalid', exit: 41 })
      const told = Object.fromEntries(
        (answer as { problems: { message: string }[] }).problems.map(({ message }) => [
          message.split(' ')[0]!,
          message,
        ]),
      )
      expect(told['../x']).toContain('leaves its folder')
      expect(told['/etc/hosts']).toContain('is an absolute path')
      expect(told['src/none.ts']).toContain('is not there')
      expect(told['src/link.ts']).toContain('is a link')
      expect(told['src/folder']).toContain('is not a regular file')
      expect(told['.env']).toContain('is a secret by its name')
      expect(told['.git/config']).toContain('is a secret by its name')
      expect(told['src/second.ts']).toContain('has another name elsewhere')
      expect(told['src/new.ts']).toContain('is not committed')
      expect(told['src/form.ts']).toContain('has changes that are not committed')
      expect(told['src/\u0000']).toContain('is not a plain path')
    }))

  test('[GATE-3] a commit that touches none of the files named is told', () =>
    withWork(withProject, async ({ as }) => {
      expect(await gate(as, 'implemented', 'commit:HEAD;files:src/a.ts')).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('touches none of the files named')],
      })
    }))

  test('[GATE-3] a commit that was there before the task was handed out is told, also of later attempts', () =>
    withWork(withProject, async ({ as }, project) => {
      const older = { warnings: [expect.stringMatching(/^commit [0-9a-f]{7} is older than the task/)] }
      expect(await gate(as, 'implemented', 'commit:HEAD~1;files:src/form.ts')).toMatchObject({
        warnings: [...older.warnings, expect.stringContaining('touches none')],
      })
      expect(await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')).not.toHaveProperty('warnings.0')
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as: second } = await send(project, 'T002')
      expect(await gate(second, 'implemented', 'commit:HEAD;files:src/form.ts')).not.toHaveProperty(
        'warnings.0',
      )
      expect(await gate(second, 'implemented', 'commit:HEAD~1;files:src/a.ts')).toMatchObject(older)
    }))

  test('[GATE-3] a report that was typed by hand', () =>
    withWork(withProject, async ({ as }, { root }) => {
      put(root, { 'report.xml': '<testsuite><testcase name="a"/></testsuite>' })
      expect(await gate(as, 'testsPassed', 'test-run:report.xml')).toMatchObject(
        refused('anybody can write a report'),
      )
    }))

  test('[GATE-3] where reports count, red, empty and broken ones do not; a good one is shown as reported', () =>
    withProject(async (project) => {
      put(project.root, { '.cleo/config.json': JSON.stringify({ gates: { reports: true } }) })
      repository(project.root)
      await addTask(project)
      const { as } = await send(project, 'T002')
      put(project.root, {
        'good.xml': '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>',
        'red.xml': '<testsuite><testcase name="a"><failure/></testcase></testsuite>',
        'none.xml': '<testsuite></testsuite>',
        'bad.xml': 'all green, trust me',
      })
      expect(await gate(as, 'testsPassed', 'test-run:red.xml')).toMatchObject(
        refused('1 of 1 tests as failed'),
      )
      expect(await gate(as, 'testsPassed', 'test-run:none.xml')).toMatchObject(refused('lists no test'))
      expect(await gate(as, 'testsPassed', 'test-run:bad.xml')).toMatchObject({ exit: 41 })
      expect(await gate(as, 'testsPassed', 'test-run:gone.xml')).toMatchObject(refused('is not there'))
      expect(await gate(as, 'testsPassed', 'test-run:good.xml')).toMatchObject({
        value: { state: 'passed', evidence: ['test-run:good.xml reported, 2 passed'] },
      })
      put(project.root, { 'good.xml': '<testsuite><testcase name="a"/></testsuite>' })
      expect(await stateOf(as, 'testsPassed')).toMatchObject({ state: 'stale', why: 'good.xml changed' })
    }))

  test('[GATE-5] implemented and testsPassed cannot be waived, by nobody', () =>
    withWork(withProject, async ({ as }, project) => {
      const waive = (name: string) => project.call('verify.waive', { id: 'T002', gate: name, reason: 'late' })
      expect(await waive('implemented')).toMatchObject({ code: 'gate.hard' })
      expect(await waive('testsPassed')).toMatchObject({ code: 'gate.hard' })
      expect(await waive('qaPassed')).toMatchObject({ ok: true })
      expect(await stateOf(as, 'qaPassed')).toMatchObject({ state: 'waived' })
      expect((await as.must('tasks.show', { id: 'T002' })).gates!['qaPassed']).toEqual({
        state: 'na',
        evidence: ['waived by ada: late'],
      })
    }))

  test('[GATE-6] criteria that do not exist, and calls that say both or neither', () =>
    withWork(withProject, async ({ as }, project) => {
      expect(await criterion(as, 9, 'files:src/a.ts')).toMatchObject({ code: 'criterion.not_found', exit: 4 })
      const call = (more: object) => as.call('verify.criterion', { id: 'T002', criterion: 1, ...more })
      expect(await call({})).toMatchObject({ code: 'input.invalid' })
      expect(await call({ unmet: true })).toMatchObject({ code: 'input.invalid' })
      expect(await call({ unmet: true, reason: 'x', evidence: 'files:a' })).toMatchObject({
        code: 'input.invalid',
      })
      expect(await call({ reason: 'x', evidence: 'files:a' })).toMatchObject({ code: 'input.invalid' })
      expect(await criterion(as, 1, 'note:trust me')).toMatchObject(
        refused('files:, commit: or tool: proves it'),
      )
      expect(await project.call('verify.waive', { id: 'T002', reason: 'x' })).toMatchObject({
        code: 'input.invalid',
      })
      expect(
        await project.call('verify.waive', { id: 'T002', gate: 'qaPassed', criterion: 1, reason: 'x' }),
      ).toMatchObject({ code: 'input.invalid' })
    }))

  test('[GATE-1] evidence for what is done, gone or another one is at work on', () =>
    withWork(withProject, async ({ as }, project) => {
      expect(await project.call('verify.view', { id: 'T099' })).toMatchObject({ code: 'task.not_found' })
      expect(await gate(project.as('T003.1'), 'cleanupDone', 'note:x')).toMatchObject({
        code: 'task.foreign',
        exit: 64,
      })
      await as.must('focus.set', { id: 'T002' })
      // One that works on the whole epic has a say in its parts, but not while somebody is at work on one.
      expect(await gate(project.as('T001.1'), 'cleanupDone', 'note:x')).toMatchObject({ code: 'claim.held' })
      await project.must('tasks.cancel', { id: 'T002', reason: 'no' })
      expect(await gate(project, 'cleanupDone', 'note:x')).toMatchObject({ code: 'task.status' })
    }))

  test('[GATE-3] nothing the repository brings runs when git is asked', () =>
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
})

describe('what goes stale', () => {
  const proved = async (as: TestProject) => {
    await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')
    await gate(as, 'testsPassed', 'tool:test')
    await criterion(as, 1, 'files:src/form.ts')
  }
  const states = async (as: TestProject) => {
    const { gates, criteria } = await as.must('verify.view', { id: 'T002' })
    const state = (name: string) => gates.find(({ gate }) => gate === name)!
    return { implemented: state('implemented'), testsPassed: state('testsPassed'), criterion: criteria[0] }
  }

  test('[GATE-4] an edit, naming the file', () =>
    withWork(withProject, async ({ as }, { root }) => {
      await proved(as)
      put(root, { 'src/form.ts': 'export const form = 3\n' })
      const why = 'src/form.ts changed'
      expect(await states(as), 'what was edited is stale').toMatchObject({
        implemented: { state: 'stale', why },
        testsPassed: { state: 'stale', why: `${why} after the run` },
        criterion: { state: 'stale', why },
      })
      const { next } = await as.must('verify.view', { id: 'T002' })
      expect(next).toContain('cleo verify T002 --gate testsPassed --evidence "tool:test" --as T002.1')
    }))

  test('[GATE-4] a new file and a file taken away', () =>
    withWork(withProject, async ({ as }, { root }) => {
      await proved(as)
      put(root, { 'src/more.ts': 'x\n' })
      expect((await states(as)).testsPassed).toMatchObject({
        state: 'stale',
        why: 'src/more.ts changed after the run',
      })
      rmSync(join(root, 'src/more.ts'))
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
      rmSync(join(root, 'src/a.ts'))
      expect((await states(as)).testsPassed).toMatchObject({
        state: 'stale',
        why: 'files changed after the run',
      })
    }))

  test('[GATE-4] an amended and a rebased commit, while tests stand as long as the files do', () =>
    withWork(withProject, async ({ as }, { root }) => {
      await proved(as)
      const sha = git(root, 'rev-parse', '--short=7', 'HEAD')
      git(root, 'commit', '-q', '--amend', '-m', 'Build the form, better said')
      expect(await states(as)).toMatchObject({
        implemented: { state: 'stale', why: `commit ${sha} is not in the history of ${root}` },
        testsPassed: { state: 'passed' },
        criterion: { state: 'met' },
      })
      await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')
      git(root, 'checkout', '-q', '-b', 'next', 'HEAD~1')
      commit(root, 'Between', { 'docs/a.md': 'x\n' })
      git(root, 'checkout', '-q', 'main')
      git(root, 'rebase', '-q', 'next')
      expect(await states(as)).toMatchObject({
        implemented: { state: 'stale' },
        testsPassed: { state: 'stale', why: expect.stringContaining('docs/a.md') },
      })
    }))

  test('[GATE-4] what is tested first and committed then stays fresh', () =>
    withWork(withProject, async ({ as }, { root }) => {
      put(root, { 'src/form.ts': 'export const form = 4\n', 'src/late.ts': 'late\n' })
      await gate(as, 'testsPassed', 'tool:test')
      git(root, 'add', '-A')
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
      git(root, 'commit', '-q', '-m', 'Late')
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
    }))

  test('[GATE-4] a change that git was told to look away from', () =>
    withWork(withProject, async ({ as }, { root }) => {
      await gate(as, 'testsPassed', 'tool:test')
      git(root, 'update-index', '--assume-unchanged', 'src/a.ts')
      git(root, 'update-index', '--skip-worktree', 'src/form.ts')
      put(root, { 'src/a.ts': 'hidden\n' })
      expect((await states(as)).testsPassed).toMatchObject({ state: 'stale' })
      git(root, 'update-index', '--no-assume-unchanged', 'src/a.ts')
      git(root, 'checkout', '-q', 'src/a.ts')
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
      put(root, { 'src/form.ts': 'hidden\n' })
      expect((await states(as)).testsPassed).toMatchObject({ state: 'stale' })
    }))

  test('[GATE-4] neither what agents hand in nor what CLEO keeps', () =>
    withWork(withProject, async ({ as }, { root }) => {
      await proved(as)
      put(root, {
        'claudedocs/agent-outputs/T002-form.md': 'x',
        'claudedocs/agent-outputs/MANIFEST.jsonl': '',
        '.cleo/anything': 'x',
      })
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
    }))

  test('[GATE-4] an earlier attempt does not prove a later one', () =>
    withWork(withProject, async ({ as }, project) => {
      await proved(as)
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as: second } = await send(project, 'T002')
      expect(await states(second)).toMatchObject({
        implemented: { state: 'unset', why: 'proved by T002.1, not by T002.2' },
        criterion: { state: 'open', why: 'met by T002.1, not by T002.2' },
      })
      // The task itself says the same.
      const { acceptance } = await second.must('tasks.show', { id: 'T002' })
      expect(acceptance).toMatchObject([{ state: 'open' }, { state: 'open' }])
    }))
})

test('[GATE-2] a task nobody was sent to can be looked at and proved all the same', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses'] })
    expect(await project.must('verify.view', { id: 'T002' })).toMatchObject({
      under: 'nothing',
      finished: true,
      protocol: 'implementation',
      next: [
        'cleo verify T002 --gate implemented --evidence "commit:HEAD;files:<changed files>"',
        'cleo verify T002 --gate testsPassed --evidence "tool:test"',
        'cleo verify T002 --gate qaPassed --evidence "tool:lint"',
        'cleo verify T002 --criterion 1 --evidence "files:<paths>"',
      ],
    })
    expect(
      await project.must('verify.gate', { id: 'T002', gate: 'qaPassed', evidence: 'tool:lint' }),
    ).toMatchObject({
      state: 'passed',
    })
  }))

test('[GATE-3] without git files alone show the work, and they are hashed all the same', () =>
  withProject(async (project) => {
    put(project.root, { 'src/a.ts': 'a\n', Makefile: 'test:\n\t@echo "ok"\n' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    expect(await gate(as, 'implemented', 'commit:HEAD;files:src/a.ts')).toMatchObject(
      refused('is in no git repository'),
    )
    expect(await gate(as, 'implemented', 'files:src/a.ts')).toMatchObject({ value: { state: 'passed' } })
    expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject({ value: { state: 'passed' } })
    expect(await stateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
    writeFileSync(join(project.root, 'src/a.ts'), 'b\n')
    expect(await stateOf(as, 'implemented')).toMatchObject({ state: 'stale', why: 'src/a.ts changed' })
    expect(await stateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
  }))

test('[GATE-4] what was shown before anybody was sent is told as such', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project)
    await gate(project, 'cleanupDone', 'note:all of it')
    const { as } = await send(project, 'T002')
    expect(await stateOf(as, 'cleanupDone')).toMatchObject({ why: 'proved before T002.1 was sent' })
  }))

test('[GATE-1] nothing is to be run for a task that is done', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses'] })
    const sent = await send(project, 'T002')
    await handIn(sent, { entry: { status: 'partial', followup: ['T002'] } })
    await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, evidence: 'files:src/a.ts' })
    expect((await project.must('verify.view', { id: 'T002' })).next.length).toBeGreaterThan(0)
    await sent.as.must('tasks.complete', { id: 'T002' })
    put(project.root, { 'src/a.ts': 'later\n' })
    const view = await project.must('verify.view', { id: 'T002' })
    expect(view.next).toEqual([])
    expect(view.missing.filter(({ fix }) => fix)).toEqual([])
    expect(view.criteria).toMatchObject([{ state: 'met' }])
  }))
