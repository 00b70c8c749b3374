import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../support/project.ts'
import {
  addTask,
  append,
  commit,
  git,
  handIn,
  lineOf,
  put,
  repository,
  rulings,
  type Sent,
  send,
} from '../support/subagent.ts'

const code = { 'src/form.ts': 'export const form = 1\n', 'test/form.test.ts': 'check(1)\n' }

const prove = async ({ as, task }: Sent, files = 'src/form.ts'): Promise<void> => {
  const gate = (name: string, evidence: string) => as.must('verify.gate', { id: task, gate: name, evidence })
  await gate('implemented', `commit:HEAD;files:${files}`)
  await gate('testsPassed', 'tool:test')
  await gate('qaPassed', 'tool:lint')
}

/** An agent that focuses, commits and hands in. */
const build = async (
  project: TestProject,
  message: string,
  { files = code, text }: { files?: Record<string, string>; text?: string } = {},
): Promise<Sent> => {
  const sent = await send(project, await addTask(project))
  await sent.as.must('focus.set', { id: sent.task })
  commit(project.root, message, files)
  await append(sent, text === undefined ? {} : { text })
  return sent
}

const inRepository = <T>(work: (project: TestProject) => Promise<T>): Promise<T> =>
  withProject(async (project) => {
    repository(project.root)
    return work(project)
  })

test('[PROT-1] implementation with tests, trailer and evidence is valid', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent, 'src/form.ts,test/form.test.ts')
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') })
    expect(await rulings(project, 'T002')).toMatchObject({
      'BASE-003': ['pass', 'done by ada with orchestrate.receive'],
      'BASE-006': ['pass', 'what it names is there, 2 looked up'],
      'IMPL-001': ['pass', '1 test file among 2 files'],
      'IMPL-003': ['pass', '1 commit with Task: T002'],
      'IMPL-004': ['pass', 'testsPassed was shown'],
      'IMPL-006': ['pass', 'T002-sign-up-form says so in 3 findings'],
      'IMPL-007': ['pass', 'T002-sign-up-form says implementation'],
    })
    expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({
      valid: true,
      rules: [],
    })
  }))

test('[PROT-1] what others change after a task is done does not count against it', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') })
    commit(project.root, 'Rewrite all of it', { 'src/form.ts': 'export const form = 2\n', 'src/a.ts': '' })
    expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({ valid: true })
  }))

test('[PROT-1] no tests, no trailer and no proof of tests break IMPL-001, 003 and 004', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nfor Task: T002\nand more', {
      files: { 'src/form.ts': '1\n' },
    })
    await sent.as.must('verify.gate', {
      id: 'T002',
      gate: 'implemented',
      evidence: 'commit:HEAD;files:src/form.ts',
    })
    const head = git(project.root, 'rev-parse', 'HEAD').slice(0, 7)
    expect(await rulings(project, 'T002')).toMatchObject({
      'IMPL-001': ['fail', 'no test file among 1 file, and no reason in the output file'],
      'IMPL-003': ['fail', `${head} has no trailer Task: T002`],
      'IMPL-004': ['fail', 'testsPassed is unset'],
    })
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({ exit: 63 })
  }))

test('[PROT-1] a reason in the output file stands for tests that cannot be', () =>
  inRepository(async (project) => {
    const text = 'There are no tests for this, because the file only holds a licence text.\n'
    const sent = await build(project, 'Add it\n\nTask: T002', { files: { 'src/form.ts': '1\n' }, text })
    await prove(sent)
    const [result, fact] = (await rulings(project, 'T002'))['IMPL-001']!
    expect(result).toBe('pass')
    expect(fact).toContain('only holds a licence text')
  }))

test('[PROT-1] evidence that went stale before the task is done breaks BASE-006', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    expect((await rulings(project, 'T002'))['BASE-006']![0]).toBe('pass')
    put(project.root, { 'src/form.ts': 'export const form = 3\n' })
    const [result, fact] = (await rulings(project, 'T002'))['BASE-006']!
    expect(result).toBe('fail')
    expect(fact).toContain('stale')
  }))

test('[PROT-1] a commit that git no longer has breaks BASE-006', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    const gone = git(project.root, 'rev-parse', 'HEAD')
    git(project.root, 'reset', '-q', '--hard', 'HEAD~1')
    git(project.root, 'reflog', 'expire', '--expire=now', '--all')
    git(project.root, 'gc', '-q', '--prune=now')
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual([
      'fail',
      `there is no commit ${gone.slice(0, 12)}`,
    ])
  }))

test('[PROT-1] commits in a work folder of its own are all asked for their task', () =>
  inRepository(async (project) => {
    const tree = join(project.root, '..', `${project.root.split('/').at(-1)}-tree`)
    git(project.root, 'worktree', 'add', '-q', tree)
    try {
      await addTask(project)
      const sent = await send(project, 'T002', { worktree: tree })
      await sent.as.must('focus.set', { id: 'T002' })
      const untold = commit(tree, 'Prepare', { 'src/b.ts': '1\n' })
      commit(tree, 'Add the form\n\nTask: T002', code)
      await append(sent, { entry: { finding: [], agentType: 'analysis' } })
      expect(await rulings(project, 'T002')).toMatchObject({
        'IMPL-001': ['pass', '1 test file among 3 files'],
        'IMPL-006': ['fail', 'T002-sign-up-form does not say what was built or decided'],
        'IMPL-007': ['fail', 'T002-sign-up-form says "analysis", not implementation'],
      })
      expect((await rulings(project, 'T002'))['IMPL-003']).toEqual([
        'fail',
        `${untold.slice(0, 7)} has no trailer Task: T002`,
      ])
    } finally {
      git(project.root, 'worktree', 'remove', '--force', tree)
    }
  }))

test('[PROT-1] research changes nothing but output, where it has a work folder of its own', () =>
  inRepository(async (project) => {
    const tree = join(project.root, '..', `${project.root.split('/').at(-1)}-tree`)
    git(project.root, 'worktree', 'add', '-q', tree)
    try {
      await addTask(project, { title: 'Compare hashing', labels: ['research'] })
      const sent = await send(project, 'T002', { worktree: tree })
      await handIn(sent)
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual([
        'pass',
        '2 files changed, all of them output',
      ])
      put(tree, { 'notes.txt': 'mine\n' })
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual(['fail', 'notes.txt was changed'])
      commit(tree, 'Fix it while I am here', { 'src/a.ts': 'export const a = 2\n' })
      git(project.root, 'merge', '-q', git(tree, 'rev-parse', 'HEAD'))
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual([
        'fail',
        'notes.txt was changed, src/a.ts was changed',
      ])
      git(project.root, 'worktree', 'remove', '--force', tree)
      expect(await rulings(project, 'T002')).toMatchObject({
        'BASE-004': [
          'pass',
          'claudedocs/agent-outputs/T002-compare-hashing.md, unchanged since T002-compare-hashing',
        ],
        'RSCH-001': ['na', 'it had no work folder of its own'],
      })
    } finally {
      rmSync(tree, { recursive: true, force: true })
    }
  }))

test('[PROT-2] whoever worked on a task is not the one to validate it', () =>
  inRepository(async (project) => {
    const author = await build(project, 'Add the form\n\nTask: T002')
    await addTask(project, { title: 'Validate the form', stage: 'validation', depends: ['T002'] })
    await prove(author)
    await author.as.must('tasks.complete', { id: 'T002' })
    const sent = await send(project, 'T003')
    await handIn(sent)
    expect((await rulings(project, 'T003'))['validation']).toEqual([
      'pass',
      'T003.1 validated T002 by T002.1',
    ])
    await sent.as.must('focus.clear', {})
    await project.as('T002.1').must('focus.set', { id: 'T003' })
    expect((await rulings(project, 'T003'))['validation']).toEqual(['fail', 'T002.1 worked on T002 itself'])
  }))

const contribute = { title: 'Prepare the contribution', labels: ['contribution'] }

test('[PROT-1] a contribution follows the log, names its commits and holds its gates', () =>
  inRepository(async (project) => {
    for (const subject of ['feat: sign in', 'fix(cart): count twice', 'docs: say more'])
      commit(project.root, subject)
    const sent = await send(project, await addTask(project, contribute))
    await sent.as.must('focus.set', { id: 'T002' })
    const sha = commit(project.root, 'feat: add the form\n\nTask: T002', code)
    await append(sent, { text: `T002 is ${sha.slice(0, 7)} by Ada.\n` })
    await sent.as.must('verify.gate', {
      id: 'T002',
      gate: 'implemented',
      evidence: 'commit:HEAD;files:src/form.ts',
    })
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect(await rulings(project, 'T002')).toMatchObject({
      'CONT-001': ['pass', '1 commit, subjects with a type, as in the log'],
      'CONT-002': ['pass', '1 commit with Task: T002'],
      'CONT-003': ['pass', 'documented hold'],
      'CONT-006': ['pass', 'the output file names T002 and 1 commit'],
      'CONT-007': ['pass', 'T002-prepare-the-contribution says contribution'],
    })
  }))

test('[PROT-1] a contribution that goes its own way breaks CONT-001, 002, 003, 006 and 007', () =>
  inRepository(async (project) => {
    for (const subject of ['feat: sign in', 'fix(cart): count twice', 'docs: say more'])
      commit(project.root, subject)
    put(project.root, {
      '.cleo/config.json': JSON.stringify({ gates: { required: { contribution: ['qaPassed'] } } }),
    })
    const sent = await send(project, await addTask(project, contribute))
    await sent.as.must('focus.set', { id: 'T002' })
    const sha = commit(project.root, 'stuff', code).slice(0, 7)
    await append(sent, { text: 'All is there.\n', entry: { agentType: 'research' } })
    await sent.as.must('verify.gate', {
      id: 'T002',
      gate: 'implemented',
      evidence: 'commit:HEAD;files:src/form.ts',
    })
    expect(await rulings(project, 'T002')).toMatchObject({
      'CONT-001': ['fail', `${sha} does not begin with a type, as others do`],
      'CONT-002': ['fail', `${sha} has no trailer Task: T002`],
      'CONT-003': ['fail', 'qaPassed is unset'],
      'CONT-006': ['fail', `the output file does not name T002, it does not name ${sha}`],
      'CONT-007': ['fail', 'T002-prepare-the-contribution says "research", not contribution'],
    })
  }))
