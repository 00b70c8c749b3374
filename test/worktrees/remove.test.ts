import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inGit, spawned } from '../support/landing.ts'
import { onEveryStore } from '../support/project.ts'
import { git, put } from '../support/subagent.ts'

onEveryStore((withProject) => {
  const inRepository = inGit(withProject)

  test('[TREE-5] remove refuses needed or unsaved work; --discard, by a person, saves it first', () =>
    inRepository(async (project) => {
      const { root } = project
      const { spawn, folder } = await spawned(project)
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({ code: 'worktree.needed' })
      put(folder, { 'src/new.ts': 'precious\n' })
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({
        code: 'worktree.unsaved',
        message: expect.stringMatching(/src\/new\.ts/),
      })
      const agent = project.as('T002.1')
      expect(await agent.call('worktree.remove', { spawn, discard: true })).toMatchObject({ exit: 64 })
      expect(readFileSync(join(folder, 'src/new.ts'), 'utf8')).toBe('precious\n')
      const answer = await project.must('worktree.remove', { spawn, discard: true })
      expect(answer.saved!.ref).toBe('refs/cleo/attempts/T002.1')
      expect(git(root, 'show', 'refs/cleo/attempts/T002.1:src/new.ts')).toBe('precious')
      expect(existsSync(folder)).toBe(false)
      expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({
        code: 'worktree.none',
        exit: 4,
      })
    }))

  test('[TREE-5] remove leaves a folder alone that git does not know any more', () =>
    inRepository(async (project) => {
      const { spawn, folder } = await spawned(project)
      rmSync(join(folder, '.git'))
      expect(await project.call('worktree.remove', { spawn, discard: true })).toMatchObject({
        code: 'worktree.unsavable',
      })
      expect(existsSync(join(folder, 'src/a.ts'))).toBe(true)
    }))
})
