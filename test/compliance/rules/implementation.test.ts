import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build, code, inRepository, prove } from '../../support/implementation.ts'
import { addTask, append, commit, git, lineOf, rulings, send } from '../../support/subagent.ts'

test('[PROT-1] work with tests, trailer and evidence is valid', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent, 'src/form.ts,test/form.test.ts')
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') })
    expect(await rulings(project, 'T002')).toMatchObject({
      'BASE-003': ['pass', 'done by ada with orchestrate.receive'],
      'BASE-006': ['pass', 'everything that the work mentions exists (2 checked)'],
      'IMPL-001': ['pass', '1 test file among 2 files'],
      'IMPL-003': ['pass', '1 commit with Task: T002'],
      'IMPL-004': ['pass', 'testsPassed was proved'],
      'IMPL-006': ['pass', 'T002-sign-up-form has 3 findings'],
      'IMPL-007': ['pass', 'T002-sign-up-form has agent_type implementation'],
    })
    expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({
      valid: true,
      rules: [],
    })
  }))

test('[PROT-1] later changes by others do not count against a done task', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') })
    commit(project.root, 'Rewrite all of it', { 'src/form.ts': 'export const form = 2\n', 'src/a.ts': '' })
    expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({ valid: true })
  }))

test('[PROT-1] missing tests, trailer and test evidence break IMPL-001, 003 and 004', () =>
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
      'IMPL-001': [
        'fail',
        'there is no test file, only src/form.ts. Commit a test and try again. If an existing test covers the work, name it with --no-tests; if there can be no test, say why with --no-tests. What you submitted is kept',
      ],
      'IMPL-003': ['fail', `commit ${head} has no trailer "Task: T002"`],
      'IMPL-004': ['fail', 'testsPassed is unset'],
    })
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({ exit: 60 })
  }))

test('[PROT-1] a reason in the output file replaces tests', () =>
  inRepository(async (project) => {
    const text = 'There are no tests for this, because the file only holds a licence text.\n'
    const sent = await build(project, 'Add it\n\nTask: T002', { files: { 'src/form.ts': '1\n' }, text })
    await prove(sent)
    const [result, fact] = (await rulings(project, 'T002'))['IMPL-001']!
    expect(result).toBe('pass')
    expect(fact).toContain('only holds a licence text')
  }))

test('[GATE-1] commits on its own branch are traceable without a trailer', () =>
  inRepository(async (project) => {
    const tree = join(project.root, '..', `${project.root.split('/').at(-1)}-tree`)
    git(project.root, 'worktree', 'add', '-q', tree)
    try {
      await addTask(project)
      const sent = await send(project, 'T002', { worktree: tree })
      await sent.as.must('focus.set', { id: 'T002' })
      commit(tree, 'Prepare', { 'src/b.ts': '1\n' })
      commit(tree, 'Add the form\n\nTask: T002', code)
      await append(sent, { entry: { finding: [], agentType: 'analysis' } })
      expect(await rulings(project, 'T002')).toMatchObject({
        'IMPL-001': ['pass', '1 test file among 3 files'],
        'IMPL-006': ['fail', 'T002-sign-up-form has no finding about what was built or decided'],
        'IMPL-007': ['fail', 'T002-sign-up-form has agent_type "analysis", not implementation'],
      })
      expect((await rulings(project, 'T002'))['IMPL-003']).toEqual([
        'pass',
        '2 commits on the branch of T002.1',
      ])
    } finally {
      git(project.root, 'worktree', 'remove', '--force', tree)
    }
  }))
