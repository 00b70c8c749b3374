import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gate, gateOf, problemsIn, refused, withWork, withWorktree } from '../support/evidence.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, handIn, lineOf, put, repository, send } from '../support/subagent.ts'

const implemented = (as: TestProject, files: string, ref = 'HEAD') =>
  gate(as, 'implemented', `commit:${ref};files:${files}`)

const waive =
  'If nothing had to change, ask a person to accept that: cleo verify T002 --waive --gate implemented --reason "…" --as T002.1'

/** Makes a repository with T002 spawned and nothing done yet. */
const withSpawn = (work: (as: TestProject, project: TestProject) => Promise<void>, task: object = {}) =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, task)
    const { as } = await send(project, 'T002')
    await work(as, project)
  })

describe('a commit since the spawn must touch a named file', () => {
  test('[GATE-3] no commit, an empty commit and an old file are refused, with the way to ask a person', () =>
    withSpawn(async (as, { root }) => {
      const nothing = refused(
        'no commit since T002.1 was spawned changes a file other than output files',
        waive,
      )
      expect(await implemented(as, 'src/a.ts'), 'an old file').toMatchObject(nothing)
      git(root, 'commit', '-q', '--allow-empty', '-m', 'Work')
      expect(await implemented(as, 'src/a.ts')).toMatchObject(
        refused(
          'no commit of this task since T002.1 was spawned changes a file other than output files',
          waive,
        ),
      )
      expect(await implemented(as, 'src/a.ts', 'HEAD~1')).toMatchObject({ ok: false })
      commit(root, 'Work', { 'src/form.ts': 'x\n' })
      const other = await implemented(as, 'src/a.ts')
      expect(other).toMatchObject(
        refused('no commit since T002.1 was spawned touches src/a.ts; the commits touch src/form.ts', waive),
      )
      expect(other).toMatchObject({
        fix: 'cleo verify T002 --gate implemented --evidence "commit:HEAD;files:src/form.ts" --as T002.1',
      })
      expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: true })
      expect(await implemented(as, 'src/a.ts,src/form.ts'), 'old ones beside it').toMatchObject({ ok: true })
    }))

  test('[GATE-3] the output file is not the work', () =>
    withSpawn(async (as, { root }) => {
      commit(root, 'Report', { 'claudedocs/agent-outputs/T002-form.md': 'x\n' })
      expect(await implemented(as, 'claudedocs/agent-outputs/T002-form.md')).toMatchObject(
        refused('changes a file other than output files', waive),
      )
    }))

  test('[GATE-3] deleting a file is work', () =>
    withSpawn(async (as, { root }) => {
      expect(problemsIn(await implemented(as, 'src/none.ts'))).toContain('src/none.ts does not exist')
      git(root, 'rm', '-q', 'src/a.ts')
      git(root, 'commit', '-q', '-m', 'Remove a')
      expect(await implemented(as, 'src/a.ts')).toMatchObject({
        value: { evidence: ['files:src/a.ts', expect.stringMatching(/^commit:/)] },
      })
      expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'passed' })
      put(root, { 'src/a.ts': 'back\n' })
      expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'stale', why: 'src/a.ts changed' })
    }))

  test('[GATE-3] a commit that names another task does not count', () =>
    withSpawn(async (as, { root }) => {
      commit(root, 'Others\n\nTask: T009', { 'src/a.ts': 'others\n' })
      expect(await implemented(as, 'src/a.ts')).toMatchObject(refused('no commit of this task'))
      commit(root, 'Mine\n\nTask: t2', { 'src/a.ts': 'mine\n' })
      expect(await implemented(as, 'src/a.ts')).toMatchObject({ ok: true })
      commit(root, 'Also mine\n\nTask: 1234', { 'src/b.ts': 'mine\n' })
      expect(await implemented(as, 'src/b.ts'), 'a number of another tracker').toMatchObject({ ok: true })
    }))

  test('[GATE-3] a task that was never spawned has no start to compare with', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      expect(await implemented(project, 'src/a.ts')).toMatchObject({ ok: true })
    }))
})

/** Commits with a date from long before the spawn. */
const oldCommit = (root: string, files: Record<string, string>): void => {
  put(root, files)
  git(root, 'add', '-A')
  const alias = '!f() { GIT_COMMITTER_DATE=2025-01-01T00:00:00Z git commit -q -m Old; }; f'
  git(root, '-c', `alias.old=${alias}`, 'old')
}

describe('a merge of unrelated work is not work', () => {
  test('[GATE-3] of a branch from before the spawn', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      git(root, 'checkout', '-q', '-b', 'older')
      oldCommit(root, { 'src/old.ts': 'x\n' })
      git(root, 'checkout', '-q', 'main')
      await addTask(project)
      const { as } = await send(project, 'T002')
      const start = git(root, 'rev-parse', 'HEAD')
      git(root, 'merge', '-q', '--no-ff', '-m', 'Merge older', 'older')
      expect(await implemented(as, 'src/old.ts')).toMatchObject(refused('no commit of this task', waive))
      git(root, 'reset', '-q', '--hard', start)
      git(root, 'merge', '-q', '--ff-only', 'older')
      expect(await implemented(as, 'src/old.ts'), 'fast-forward').toMatchObject(
        refused('no commit of this task', waive),
      )
    }))

  test('[GATE-3] commits with old dates count: a clock may be wrong', () =>
    withSpawn(async (as, { root }) => {
      oldCommit(root, { 'src/form.ts': 'x\n' })
      expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: true })
    }))

  test('[GATE-3] of what others did in the main checkout meanwhile, merged or fast-forwarded', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project)
      const tree = join(root, '.home/tree')
      git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
      await send(project, 'T002', { worktree: tree })
      const as = project.from(tree).as('T002.1')
      commit(root, 'Meanwhile', { 'src/other.ts': 'x\n' })
      git(tree, 'merge', '-q', 'main')
      expect(await implemented(as, 'src/other.ts'), 'fast-forward').toMatchObject(
        refused('no commit of this task'),
      )
      commit(tree, 'Mine', { 'src/form.ts': 'x\n' })
      commit(root, 'Again', { 'src/other.ts': 'y\n' })
      git(tree, 'merge', '-q', '-m', 'Merge main', 'main')
      expect(await implemented(as, 'src/other.ts')).toMatchObject(refused('the commits touch src/form.ts'))
      expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: true })
    }))
})

describe('a declared file must be touched', () => {
  const declared = { files: ['src/login.ts', 'src/pages/*.tsx'] }

  test('[GATE-3] or the entry says why not, which is shown wherever the gate is', () =>
    withWorktree(
      async ({ as, tree, ...sent }, project) => {
        const answer = await implemented(as, 'src/form.ts')
        expect(answer).toMatchObject(
          refused('T002.1 changed src/form.ts, but none of the files that the task declares: src/login.ts,'),
        )
        expect(answer).toMatchObject({
          fix: 'cleo manifest append --status complete --finding "<one sentence>" --warning "files: <why>" --as T002.1',
        })
        const entry = await handIn({ ...sent, as })
        expect(await implemented(as, 'src/form.ts')).toMatchObject({
          fix: expect.stringContaining(`--warning "files: <why>" --revises ${entry} --as T002.1`),
        })
        await as.must('pipeline.manifest.append', {
          status: 'complete',
          finding: ['It is done.'],
          warning: ['files: the login moved into the form'],
          revises: entry,
        })
        const text = 'no declared file was changed: the login moved into the form'
        expect(await implemented(as, 'src/form.ts')).toMatchObject({
          value: { evidence: expect.arrayContaining([`warning: ${text}`]) },
        })
        expect((await gateOf(as, 'implemented'))!.evidence).toContain(`warning: ${text}`)
        const { gates } = await project.must('tasks.show', { id: 'T002' })
        expect(gates!['implemented']!.evidence).toContain(`warning: ${text}`)
        await gate(as, 'testsPassed', 'tool:test')
        await gate(as, 'qaPassed', 'tool:lint')
        expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({
          ok: true,
          warnings: [`implemented: ${text}`],
        })
        expect(
          await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') }),
        ).toMatchObject({ ok: true, warnings: [`implemented: ${text}`] })
        rmSync(tree, { recursive: true })
      },
      { task: { ...declared, acceptance: [] } },
    ))

  test('[GATE-3] by its name, folder or glob; an agent cannot declare another one later', () =>
    withSpawn(async (as, { root }) => {
      commit(root, 'Work', { 'src/form.ts': 'x\n' })
      await as.call('tasks.update', { id: 'T002', files: ['src/form.ts'] })
      expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: false })
      commit(root, 'Page', { 'src/pages/login.tsx': 'x\n' })
      expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: true })
    }, declared))
})

onSqlite((withProject) => {
  test('[GATE-3] [GATE-5] an agent that had nothing to change asks a person, who waives the gate', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const sent = await send(project, 'T002')
      const { as } = sent
      await handIn(sent)
      expect(await implemented(as, 'src/a.ts')).toMatchObject(refused(waive))
      await gate(as, 'testsPassed', 'tool:test')
      await gate(as, 'qaPassed', 'tool:lint')
      const asked = await as.call('verify.waive', {
        id: 'T002',
        gate: 'implemented',
        reason: 'the form was there already',
      })
      expect(asked).toMatchObject({
        exit: 64,
        alternatives: ['A person can answer question Q1: cleo inbox'],
      })
      expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({ exit: 40 })
      expect(await as.call('inbox.answer', { id: 'Q1', yes: true })).toMatchObject({ exit: 64 })
      const { items } = await project.must('inbox.list', {})
      expect(items).toMatchObject([{ id: 'Q1', kind: 'waiver', taskId: 'T002', by: 'T002.1' }])
      await project.must('inbox.answer', { id: 'Q1', yes: true })
      const remark = 'implemented was waived by ada: the form was there already'
      expect(await gateOf(as, 'implemented')).toMatchObject({
        state: 'waived',
        why: 'by ada: the form was there already',
      })
      expect((await project.must('tasks.show', { id: 'T002' })).gates!['implemented']).toEqual({
        state: 'na',
        evidence: ['waived by ada: the form was there already'],
      })
      expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({ ok: true, warnings: [remark] })
      expect(
        await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Implementation') }),
      ).toMatchObject({ ok: true, warnings: [remark] })
      const { entries } = await project.must('admin.log', { task: 'T002' })
      expect(JSON.stringify(entries)).toContain('the form was there already')
    }))
})

test('[GATE-3] without git, a new file counts, and one that was only touched does not', () =>
  withProject(async (project) => {
    put(project.root, { 'src/a.ts': 'a\n' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    put(project.root, { 'src/a.ts': 'a\n' })
    expect(await gate(as, 'implemented', 'files:src/a.ts')).toMatchObject(refused('src/a.ts did not change'))
    put(project.root, { 'src/b.ts': 'b\n' })
    expect(await gate(as, 'implemented', 'files:src/a.ts,src/b.ts')).toMatchObject({ ok: true })
    git(project.root, 'init', '-q')
    commit(project.root, 'All', { '.gitignore': '.home/\n' })
    expect(await implemented(as, 'src/a.ts'), 'a repository made later').toMatchObject(
      refused('src/a.ts did not change'),
    )
    expect(await implemented(as, 'src/b.ts')).toMatchObject({ ok: true })
  }))

test('[GATE-3] commits of an earlier attempt count for the next one', () =>
  withWork(withProject, async (_, project) => {
    await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
    const { as } = await send(project, 'T002')
    expect(await implemented(as, 'src/form.ts')).toMatchObject({ ok: true })
  }))
