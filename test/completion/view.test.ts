import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { criterion, gate, gateOf, withWork, withWorktree } from '../support/evidence.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, handIn, put, repository, send } from '../support/subagent.ts'

onSqlite((withProject) => {
  test('[GATE-2] lists gates, criteria and everything missing with the command that fixes it', () =>
    withWork(withProject, async ({ as, id }) => {
      await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')
      const view = await as.must('verify.view', { id: 'T002' })
      expect(view).toMatchObject({ under: 'spawn', spawnId: id, finished: false })
      expect(view.gates.map(({ gate, state }) => `${gate} ${state}`)).toEqual([
        'implemented passed',
        'testsPassed unset',
        'qaPassed unset',
      ])
      expect(view.criteria.map(({ state }) => state)).toEqual(['open', 'open'])
      expect(view.missing.map(({ what }) => what)).toEqual([
        'focus',
        'manifest entry',
        'testsPassed',
        'qaPassed',
        'criterion 1',
        'criterion 2',
      ])
      expect(view.next).toEqual(view.missing.map(({ fix }) => fix))
    }))

  test('an unknown task is refused', () =>
    withProject(async (project) => {
      expect(await project.call('verify.view', { id: 'T099' })).toMatchObject({ code: 'task.not_found' })
    }))
})

test('[GATE-2] a task that was never spawned requires nothing but can be verified', () =>
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

test('[GATE-4] names evidence that was given before the spawn', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project)
    await gate(project, 'cleanupDone', 'note:all of it')
    const { as } = await send(project, 'T002')
    expect(await gateOf(as, 'cleanupDone')).toMatchObject({ why: 'proved only before T002.1 was spawned' })
  }))

test('[GATE-1] suggests no commands for a partial or done task', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses'] })
    const sent = await send(project, 'T002')
    await handIn(sent, { entry: { status: 'partial', followup: ['T002'] } })
    await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, evidence: 'files:src/a.ts' })
    expect(await project.must('verify.view', { id: 'T002' })).toMatchObject({
      finished: true,
      entryStatus: 'partial',
      missing: [],
      open: [{ what: 'implemented' }, { what: 'testsPassed' }, { what: 'qaPassed' }],
      next: [],
    })
    await sent.as.must('tasks.complete', { id: 'T002' })
    put(project.root, { 'src/a.ts': 'later\n' })
    const view = await project.must('verify.view', { id: 'T002' })
    expect(view.next).toEqual([])
    expect(view.missing.filter(({ fix }) => fix)).toEqual([])
    expect(view.criteria).toMatchObject([{ state: 'met' }])
  }))

describe('evidence goes stale', () => {
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

  test('[GATE-4] a new and a deleted file', () =>
    withWorktree(async ({ as, tree }) => {
      await proved(as)
      put(tree, { 'src/more.ts': 'x\n' })
      expect(await states(as)).toMatchObject({
        implemented: { state: 'stale', why: 'src/more.ts not committed' },
        testsPassed: { state: 'stale', why: 'src/more.ts changed after the run' },
        criterion: { state: 'met' },
      })
      rmSync(join(tree, 'src/more.ts'))
      expect((await states(as)).testsPassed).toMatchObject({ state: 'passed' })
      rmSync(join(tree, 'src/a.ts'))
      expect((await states(as)).testsPassed).toMatchObject({
        state: 'stale',
        why: 'src/a.ts changed after the run',
      })
    }))

  test('[GATE-4] an amended and a rebased commit; tests hold while the files are unchanged', () =>
    withWorktree(async ({ as, tree: root }) => {
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
      git(root, 'checkout', '-q', 'work')
      git(root, 'rebase', '-q', 'next')
      expect(await states(as)).toMatchObject({
        implemented: { state: 'stale' },
        testsPassed: { state: 'stale', why: expect.stringContaining('docs/a.md') },
      })
    }))

  test('[GATE-4] committing only output files changes nothing', () =>
    withWorktree(async ({ as, tree }) => {
      await proved(as)
      commit(tree, 'Report', { 'claudedocs/agent-outputs/T002-form.md': 'x' })
      expect(await states(as)).toMatchObject({
        implemented: { state: 'passed' },
        testsPassed: { state: 'passed' },
      })
      commit(tree, 'More', { 'src/late.ts': 'late\n' })
      expect(await states(as)).toMatchObject({
        implemented: { state: 'passed' },
        testsPassed: { state: 'stale', why: 'src/late.ts changed after the run' },
      })
    }))

  test('[GATE-4] a change that git was told to ignore', () =>
    withWorktree(async ({ as, tree: root }) => {
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

  test('[GATE-4] output files, the manifest and .cleo do not count as changes', () =>
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
      const { acceptance } = await second.must('tasks.show', { id: 'T002' })
      expect(acceptance).toMatchObject([{ state: 'open' }, { state: 'open' }])
    }))
})
