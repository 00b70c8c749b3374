import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finished, inGit, spawned } from '../support/landing.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, commit, put } from '../support/subagent.ts'

const spawnNew = async (project: TestProject): Promise<string[]> => {
  const id = await addTask(project, { title: 'Write it' })
  const answer = await project.must('orchestrate.spawn', { id, ref: true })
  return ('warnings' in answer && answer.warnings) || []
}

onSqlite((withProject) => {
  const inRepository = inGit(withProject)

  test('[SPAWN-2] a spawn names the files of the user that its agent does not see', () =>
    inRepository(async (project) => {
      const { root } = project
      commit(root, 'Add', { 'src/b.ts': 'b\n', 'package.json': '{}\n' })
      put(root, {
        'notes.md': 'n\n',
        'drafts/one.md': '1\n',
        'drafts/deep/two.md': '2\n',
        'src/new.ts': 'new\n',
        'src/b.ts': 'changed\n',
        'node_modules/a/index.js': 'a\n',
        '__pycache__/a.pyc': 'a\n',
        '.home/ignored': 'i\n',
        'claudedocs/agent-outputs/T009.md': 'o\n',
      })
      expect(await spawnNew(project)).toEqual([
        'not in git, so the agent does not see them: drafts/, notes.md, src/new.ts',
        'not committed, so the agent sees it without your changes: src/b.ts',
        'if the agent needs them, commit, then: cleo land T001 --update && cleo respawn T002 --ref',
      ])
    }))

  test('[SPAWN-2] the agent gets the files once the user does what the warning says', () =>
    inRepository(async (project) => {
      put(project.root, { 'notes.md': 'n\n' })
      const first = await spawned(project)
      commit(project.root, 'Add notes', { 'notes.md': 'n\n' })
      await project.must('worktree.land', { epic: 'T001', update: true })
      const again = await project.must('orchestrate.respawn', { id: first.task, ref: true })
      expect(again).toMatchObject({ spawnId: `${first.task}.2` })
      const { spawn } = await project.must('tasks.show', { id: first.task })
      expect(existsSync(join(spawn!.folder!, 'notes.md'))).toBe(true)
    }))

  test('[SPAWN-2] a spawn from a clean checkout warns about nothing', () =>
    inRepository(async (project) => {
      expect(await spawnNew(project)).toEqual([])
    }))

  test('[SPAWN-2] after the first merge of an epic, its spawns do not repeat the warning', () =>
    inRepository(async (project) => {
      put(project.root, { 'notes.md': 'n\n' })
      const first = await spawned(project)
      expect((await spawnNew(project))[0]).toBe('not in git, so the agent does not see it: notes.md')
      await finished(project, first, { 'src/form.ts': 'form\n' })
      await project.must('orchestrate.receive', { id: first.task })
      expect(await spawnNew(project)).toEqual([])
    }))
})
