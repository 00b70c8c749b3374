import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onSqlite, withProject } from '../support/project.ts'
import {
  addTasks,
  commit,
  finish,
  git,
  inRepository,
  onBranch,
  place,
  put,
  receive,
  rowOf,
} from '../support/worktrees.ts'

onSqlite((withProject) => {
  test('[TREE-1] focus set --adopt moves a spawn into the worktree of its client, and the work comes home from there', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const own = await place(project, one!)
      const folder = join(project.root, '.home', 'client')
      git(project.root, 'worktree', 'add', '-q', '--detach', folder, 'main')
      const agent = project.from(folder).as(own.id)
      put(folder, { 'src/open.txt': 'open\n' })
      expect(await agent.call('focus.set', { id: one!, adopt: true })).toMatchObject({
        ok: false,
        code: 'worktree.invalid',
      })
      git(folder, 'clean', '-fdq')
      const set = await agent.must('focus.set', { id: one!, adopt: true })
      expect(set).toMatchObject({ folder, output: expect.stringContaining(`${folder}/`) })
      expect(existsSync(own.folder), 'the worktree that CLEO made is gone').toBe(false)
      expect(await rowOf(project, own.id)).toMatchObject({ folder, branch: own.branch, made_by: 'client' })
      put(folder, { [set.output!.slice(folder.length + 1)]: '# Work\n\n## Summary\n\nIt is done.\n' })
      commit(folder, 'Build it', { 'src/one.txt': 'one\n' })
      expect(await finish({ as: agent, task: one! })).toMatchObject({ ok: true, value: { merge: 'pending' } })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      expect(onBranch(project.root, 'cleo/T001', 'src/one.txt')).toBe('one')
      expect(existsSync(folder), "the client's folder is the client's to remove").toBe(true)
    }))
})

test('[TREE-1] only the spawn itself adopts a worktree', () =>
  inRepository(withProject, async (project) => {
    const [one] = await addTasks(project, 'Build one')
    await place(project, one!)
    const folder = join(project.root, '.home', 'client')
    git(project.root, 'worktree', 'add', '-q', '--detach', folder, 'main')
    const stranger = project.from(folder).as(`${one}.7`)
    expect(await stranger.call('focus.set', { id: one!, adopt: true })).toMatchObject({ ok: false })
    expect(git(folder, 'branch', '--show-current'), 'nothing was switched').toBe('')
  }))
