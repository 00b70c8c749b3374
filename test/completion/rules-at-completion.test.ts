import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { build, inRepository, prove } from '../support/implementation.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import {
  addTask,
  append,
  commit,
  git,
  handIn,
  put,
  repository,
  type Sent,
  send,
} from '../support/subagent.ts'

const complete = (project: TestProject, id = 'T002') => project.call('tasks.complete', { id })
const broken = async (project: TestProject, id = 'T002') => {
  const answer = await complete(project, id)
  return answer.ok ? [] : (answer.problems ?? []).map(({ path }) => path)
}
const untested = { files: { 'src/form.ts': 'export const form = 1\n' } }

/** Spawns a task in a worktree of its own. */
const inWorktree = async (project: TestProject, task: object): Promise<Sent & { tree: string }> => {
  const tree = join(project.root, '.home', 'tree')
  git(project.root, 'worktree', 'add', '-q', '-b', 'work', tree)
  const sent = await send(project, await addTask(project, task), { worktree: tree })
  return { ...sent, as: project.from(tree).as(sent.id), tree }
}

onSqlite((withProject) => {
  test('[GATE-1] an implementation without tests is refused with 60 and done once its entry says why', () =>
    withProject(async (project) => {
      repository(project.root)
      const sent = await build(project, 'Add it\n\nTask: T002', untested)
      await prove(sent)
      expect(await complete(sent.as)).toMatchObject({
        code: 'rule.broken',
        exit: 60,
        retryable: false,
        problems: [
          {
            path: 'IMPL-001',
            message:
              'there is no test file, only src/form.ts. Commit a test and try again. If an existing test covers the work, name it with --no-tests; if there can be no test, say why with --no-tests. What you submitted is kept',
            fix: 'cleo finish T002 --no-tests "covered by <test>" --as T002.1',
          },
        ],
      })
      await sent.as.must('pipeline.manifest.append', { revises: 'T002-sign-up-form', noTests: 'Only types.' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] an empty specification is refused, every rule as one problem', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, { labels: ['specification'] }))
      await handIn(sent, { text: '# Form\n\nIt works.\n' })
      expect(await broken(sent.as)).toEqual(['SPEC-001', 'SPEC-002', 'SPEC-003', 'SPEC-004', 'SPEC-005'])
      await append(sent, { entry: { revises: 'T002-sign-up-form' } })
      expect(await broken(sent.as)).toEqual([])
    }))

  test('[GATE-1] with compliance: warn a broken rule is a warning', () =>
    withProject(async (made) => {
      const project = await configure(made, { compliance: 'warn' })
      const sent = await send(project, await addTask(project, { labels: ['research'] }))
      await handIn(sent, { text: '# Form\n\nIt works.\n' })
      expect(await complete(sent.as)).toMatchObject({
        ok: true,
        warnings: ['RSCH-002: there is no section References'],
      })
    }))

  test('[GATE-1] a decomposition whose tasks have no criteria is refused, with the command for the first', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, { labels: ['decomposition'] }))
      await handIn(sent)
      expect(await complete(sent.as)).toMatchObject({
        exit: 60,
        problems: [
          {
            path: 'DCMP-002',
            fix: 'cleo add "<title>" --parent T002 --acceptance "<criterion>" --as T002.1',
          },
        ],
      })
    }))

  test('[GATE-1] a task that was never spawned says which criteria are open', () =>
    withProject(async (project) => {
      await addTask(project, { acceptance: ['checks addresses', 'stores a hash'] })
      expect(await complete(project)).toMatchObject({
        ok: true,
        warnings: ['left open: criterion 1 (checks addresses)', 'left open: criterion 2 (stores a hash)'],
      })
    }))

  test('[GATE-1] show and verify agree that the output file documents the work', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, { labels: ['research'] }))
      const shown = async () => (await project.must('tasks.show', { id: 'T002' })).gates!['documented']!.state
      const verified = async () => (await project.must('verify.view', { id: 'T002' })).gates[0]!.state
      expect([await shown(), await verified()]).toEqual(['unset', 'unset'])
      await handIn(sent)
      expect([await shown(), await verified()]).toEqual(['passed', 'passed'])
      put(project.root, { 'claudedocs/agent-outputs/T002-sign-up-form.md': '# Other\n\nText.\n' })
      expect([await shown(), await verified()]).toEqual(['stale', 'stale'])
    }))
})

test('[GATE-1] a release without changelog or tag is refused; a named tag is enough', () =>
  withProject(async (project) => {
    repository(project.root)
    const sent = await send(project, await addTask(project, { title: 'Release 1.1.0', labels: ['release'] }))
    await sent.as.must('focus.set', { id: 'T002' })
    commit(project.root, 'Release\n\nTask: T002', { 'package.json': '{"version":"1.0.0"}\n' })
    const entry = await append(sent)
    const test = () => sent.as.must('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' })
    await test()
    expect(await broken(sent.as)).toEqual(['RLSE-002', 'RLSE-004', 'RLSE-006'])
    commit(project.root, 'Release\n\nTask: T002', {
      'package.json': '{"version":"1.1.0"}\n',
      'CHANGELOG.md': '# Changes\n\n## 1.1.0\n\n- People can sign up.\n',
    })
    await test()
    expect(await broken(sent.as), 'version and changelog are the release itself').toEqual(['RLSE-004'])
    await sent.as.must('pipeline.manifest.append', { revises: entry, tag: 'v1.0.9' })
    expect(await broken(sent.as)).toEqual(['RLSE-004'])
    await sent.as.must('pipeline.manifest.append', { revises: entry, tag: 'v1.1.0' })
    expect(await complete(sent.as)).toMatchObject({ ok: true })
  }))

test('[GATE-1] partial work may leave open what is about finished work, but not what it must never do', () =>
  inRepository(async (project) => {
    const partial = { status: 'partial', followup: ['Write the tests'] }
    const sent = await build(project, 'Add it\n\nTask: T002', { ...untested, entry: partial })
    await addTask(project, { labels: ['research'] })
    const answer = await complete(sent.as)
    expect(answer).toMatchObject({ value: { outcome: 'partial' } })
    expect(answer.ok && answer.warnings).toContainEqual(expect.stringMatching(/^left open: IMPL-001 /))
    const research = await send(project, 'T003')
    commit(project.root, 'Fix it\n\nTask: T003', { 'src/a.ts': 'export const a = 2\n' })
    await handIn(research, { entry: partial })
    expect(await broken(research.as, 'T003')).toEqual(['RSCH-001'])
  }))

test('[GATE-1] commits without a trailer are traced by a later commit, without rewriting any', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add it')
    await prove(sent)
    const answer = await complete(sent.as)
    expect(answer).toMatchObject({ problems: [{ path: 'IMPL-003' }] })
    const fix = (answer as { fix: string }).fix.replace(/^git -C \S+ /, 'git ')
    git(project.root, ...[...fix.matchAll(/"([^"]*)"|(\S+)/g)].map(([, q, w]) => q ?? w!).slice(1))
    expect(await complete(sent.as)).toMatchObject({ ok: true })
  }))

test('[GATE-1] a validation that changed nothing needs no commit', () =>
  inRepository(async (project) => {
    const sent = await send(project, await addTask(project, { stage: 'validation' }))
    await handIn(sent)
    commit(project.root, 'Somebody else', { 'src/b.ts': '1\n' })
    await sent.as.must('verify.gate', { id: 'T002', gate: 'qaPassed', evidence: 'tool:lint' })
    expect(await complete(sent.as)).toMatchObject({ ok: true })
  }))

test('[GATE-2] a specification that changed code needs the gates of implementation', () =>
  inRepository(async (project) => {
    const sent = await inWorktree(project, { labels: ['specification'] })
    await handIn(sent)
    expect((await project.must('verify.view', { id: 'T002' })).gates.map(({ gate }) => gate)).toEqual([
      'documented',
    ])
    put(sent.tree, { 'src/a.ts': 'export const a = 2\n' })
    expect(await complete(sent.as), 'also what is not committed').toMatchObject({
      exit: 40,
      problems: [
        { path: 'implemented', message: 'no evidence; needed because T002.1 changed src/a.ts' },
        { path: 'testsPassed' },
        { path: 'qaPassed' },
      ],
    })
    commit(sent.tree, 'Change it')
    await prove(sent, 'src/a.ts')
    expect(await complete(sent.as)).toMatchObject({ ok: true })
  }))

test('[GATE-2] in a shared folder only commits that name the task count; open files are a warning', () =>
  inRepository(async (project) => {
    const sent = await send(project, await addTask(project, { labels: ['specification'] }))
    await handIn(sent)
    commit(project.root, 'By somebody', { 'src/a.ts': 'export const a = 3\n' })
    commit(project.root, 'By another agent\n\nTask: T009', { 'src/c.ts': '1\n' })
    put(project.root, { 'src/open.ts': '1\n' })
    expect(await complete(sent.as)).toMatchObject({
      ok: true,
      warnings: ['not committed, and perhaps changed by T002.1: src/open.ts'],
    })
  }))

test('[GATE-2] research that changed code is refused until the change is reverted', () =>
  inRepository(async (project) => {
    const sent = await inWorktree(project, { labels: ['research'] })
    const sha = commit(sent.tree, 'Fix it', { 'src/a.ts': 'export const a = 2\n' })
    await handIn(sent)
    expect(await complete(sent.as)).toMatchObject({
      exit: 60,
      problems: [
        { path: 'RSCH-001', message: 'src/a.ts was changed', fix: `git revert --no-edit ${sha.slice(0, 7)}` },
      ],
    })
    git(sent.tree, 'revert', '--no-edit', sha)
    expect(await complete(sent.as)).toMatchObject({ ok: true })
  }))
