import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, send } from '../support/subagent.ts'

const tests = (as: TestProject, id = 'T002') =>
  as.call('verify.gate', { id, gate: 'testsPassed', evidence: 'tool:test' })
const implemented = (as: TestProject) => gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')

/** Makes a repository in which a person has uncommitted work, with T002 spawned in the same folder. */
const withDirtyFolder = (work: (as: TestProject, project: TestProject) => Promise<void>) =>
  withProject(async (project) => {
    const { root } = project
    repository(root)
    commit(root, 'More', { 'src/b.ts': 'b\n', 'src/c.ts': 'c\n' })
    put(root, { 'notes.txt': 'mine\n', 'src/b.ts': 'half done\n' })
    rmSync(join(root, 'src/c.ts'))
    await addTask(project)
    const { as } = await send(project, 'T002')
    put(root, { 'src/form.ts': 'export const form = 1\n' })
    git(root, 'add', 'src/form.ts')
    git(root, 'commit', '-q', '-m', 'Build the form')
    await work(as, project)
  })

describe('files that were not committed before the spawn', () => {
  test('[GATE-4] are listed and tolerated while they do not change', () =>
    withDirtyFolder(async (as, { root }) => {
      const tolerated = {
        ok: true,
        warnings: [
          expect.stringMatching(
            /^not committed, but not part of this task: src\/b.ts \(unchanged since before T002.1\), src\/c.ts .*, notes.txt /,
          ),
        ],
      }
      expect(await implemented(as)).toMatchObject(tolerated)
      expect(await tests(as)).toMatchObject(tolerated)
      put(root, { 'src/b.ts': 'half done\n' })
      expect(await tests(as), 'written again, but the same').toMatchObject(tolerated)
      put(root, { 'src/b.ts': 'changed since\n' })
      expect(await tests(as)).toMatchObject(refused('src/b.ts (changed)'))
    }))

  test('[GATE-4] do not include those of an earlier attempt', () =>
    withDirtyFolder(async (as, project) => {
      put(project.root, { 'src/forgotten.ts': 'x\n' })
      expect(await tests(as)).toMatchObject(refused('src/forgotten.ts (untracked)'))
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as: second } = await send(project, 'T002')
      expect(await tests(second)).toMatchObject(refused('src/forgotten.ts (untracked)'))
    }))

  test('[GATE-4] cannot be named as the work', () =>
    withDirtyFolder(async (as) => {
      expect(await gate(as, 'implemented', 'commit:HEAD;files:src/form.ts,src/b.ts')).toMatchObject(
        refused('src/b.ts has changes that are not committed'),
      )
    }))

  test('[GATE-4] are not tolerated in a worktree of the spawn', () =>
    withProject(async (project) => {
      repository(project.root)
      const tree = join(project.root, '.home/tree')
      git(project.root, 'worktree', 'add', '-q', '-b', 'work', tree)
      await addTask(project)
      await send(project, 'T002', { worktree: tree })
      put(tree, { 'left.txt': 'x\n' })
      expect(await tests(project.from(tree).as('T002.1'))).toMatchObject(refused('left.txt (untracked)'))
    }))

  test('[GATE-4] more than the record holds: whole folders are recorded', () =>
    withProject(async (project) => {
      const { root } = project
      // Files get their times from the system clock, so the test clock must be close to it.
      project.clock.now = Date.now() + 60_000
      repository(root)
      put(root, Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`modules/p${i}/a.js`, 'x\n'])))
      await addTask(project)
      const { as } = await send(project, 'T002')
      expect(await tests(as)).toMatchObject({ ok: true })
    }))
})

onSqlite((withProject) => {
  test('[GATE-4] files that another task which is out declares are tolerated until it returns', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project, { files: ['src/form.ts'] })
      await addTask(project, { files: ['src/mail/**/*.ts', 'src/a.ts'] })
      const { as } = await send(project, 'T002')
      await send(project, 'T003')
      put(root, { 'src/mail/send/smtp.ts': 'x\n', 'src/a.ts': 'changed by T003\n' })
      expect(await tests(as)).toMatchObject({
        ok: true,
        warnings: [
          expect.stringContaining('src/a.ts (declared by T003), src/mail/send/smtp.ts (declared by'),
        ],
      })
      put(root, { 'src/form.ts': 'x\n' })
      expect(await tests(as), 'its own').toMatchObject(refused('src/form.ts (untracked)'))
      rmSync(join(root, 'src/form.ts'))
      await project.must('tasks.update', { id: 'T003', files: ['**'] })
      put(root, { 'src/forgotten.ts': 'x\n' })
      expect(await tests(as), 'what T003 declared when it was spawned counts').toMatchObject(
        refused('src/forgotten.ts (untracked)'),
      )
      rmSync(join(root, 'src/forgotten.ts'))
      await project.must('tasks.cancel', { id: 'T003', reason: 'no' })
      expect(await tests(as)).toMatchObject(refused('src/a.ts (changed)'))
    }))

  test('[GATE-4] only own files make evidence stale: declared, named or committed', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project, { files: ['src/login.ts', 'src/form.ts'] })
      const { as } = await send(project, 'T002')
      commit(root, 'Build the form', { 'src/form.ts': '1\n', 'src/helper.ts': '1\n' })
      expect(await implemented(as)).toMatchObject({ ok: true })
      expect(await tests(as)).toMatchObject({ ok: true })
      const states = async () => [
        (await gateOf(as, 'implemented'))!.state,
        (await gateOf(as, 'testsPassed'))!.state,
      ]
      put(root, { 'src/a.ts': 'edited by another\n', 'src/new.ts': 'x\n' })
      expect(await states()).toEqual(['passed', 'passed'])
      commit(root, 'Something else\n\nTask: T009')
      expect(await states(), 'a commit of another agent').toEqual(['passed', 'passed'])
      put(root, { 'src/helper.ts': '2\n' })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ why: 'src/helper.ts changed after the run' })
      expect(await states()).toEqual(['stale', 'stale'])
      put(root, { 'src/helper.ts': '1\n', 'src/login.ts': 'x\n' })
      expect(await states()).toEqual(['stale', 'stale'])
      commit(root, 'Login')
      expect(await states()).toEqual(['passed', 'stale'])
    }))
})
