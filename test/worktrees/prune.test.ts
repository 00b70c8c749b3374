import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inGit, merged, spawned } from '../support/landing.ts'
import { onEveryStore } from '../support/project.ts'
import { addTask, commit, git, put } from '../support/subagent.ts'

onEveryStore((withProject) => {
  const inRepository = inGit(withProject)

  test('[TREE-7] prune removes what is merged, given up or left over, and keeps unsaved work', () =>
    inRepository(async (project) => {
      const { root } = project
      await addTask(project, { title: 'Later' })
      const out = await spawned(project, { title: 'Out' })
      const gone = await spawned(project, { title: 'Gone' })
      const unsaved = await spawned(project, { title: 'Unsaved' })
      const places = dirname(out.folder)
      put(unsaved.folder, { 'src/new.ts': 'precious\n' })
      commit(gone.folder, 'Write', { 'src/gone.ts': 'gone\n' })
      for (const { task } of [gone, unsaved]) await project.must('tasks.cancel', { id: task, reason: 'no' })
      const there = [gone, unsaved].filter(({ folder }) => existsSync(folder))
      expect(there).toHaveLength(2)
      for (const name of ['T009.1.removed-abc123', 'check-abcdefgh']) mkdirSync(join(places, name))
      writeFileSync(join(places, 'T009.1.lock'), '')
      const old = new Date(0)
      for (const name of ['check-abcdefgh', 'T009.1.lock']) utimesSync(join(places, name), old, old)
      project.clock.now = Date.now() + 3 * 24 * 60 * 60_000
      const dry = await project.call('worktree.prune', {}, { dryRun: true })
      expect(existsSync(gone.folder)).toBe(true)
      const answer = await project.must('worktree.prune', {})
      expect(dry).toMatchObject({ ok: true, value: { removed: answer.removed } })
      expect(answer.removed.map(({ name }) => name)).toEqual([
        gone.spawn,
        `${gone.spawn}.lock`,
        'T009.1.lock',
        'T009.1.removed-abc123',
        'check-abcdefgh',
      ])
      expect(answer.kept).toMatchObject([{ name: unsaved.spawn }])
      expect(readFileSync(join(unsaved.folder, 'src/new.ts'), 'utf8')).toBe('precious\n')
      expect(existsSync(out.folder)).toBe(true)
      expect(git(root, 'show', `refs/cleo/attempts/${gone.spawn}:src/gone.ts`)).toBe('gone')
      await merged(project, { 'src/x.ts': 'x\n' })
      const again = await project.must('worktree.prune', {})
      expect(again.removed.filter(({ name }) => !name.endsWith('.lock'))).toEqual([])
    }))
})
