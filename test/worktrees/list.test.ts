import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { finished, inGit, spawned } from '../support/landing.ts'
import { onEveryStore } from '../support/project.ts'
import { commit, put } from '../support/subagent.ts'

onEveryStore((withProject) => {
  const inRepository = inGit(withProject)

  test('[TREE-7] worktree list says where work is: folder, branch, commits, merge state, disk use, quiet', () =>
    inRepository(async (project) => {
      const one = await spawned(project, { title: 'Form' })
      const two = await spawned(project, { title: 'List' })
      commit(one.folder, 'Write', { 'src/form.ts': 'form\n' })
      put(one.folder, { 'src/more.ts': 'more\n' })
      await finished(project, two, { 'src/list.ts': 'list\n' })
      await project.pass(60 * 60_000)
      rmSync(two.folder, { recursive: true })
      const { worktrees, branches, bytes } = await project.must('worktree.list', {})
      expect(worktrees).toMatchObject([
        {
          ...{
            spawnId: 'T002.1',
            title: 'Form',
            folder: one.folder,
            branch: 'cleo/T002.1',
            condition: 'there',
          },
          ...{ ahead: 1, uncommitted: 1, merge: 'none' },
        },
        { spawnId: 'T003.1', condition: 'missing', ahead: 1, uncommitted: 0, merge: 'pending', bytes: 0 },
      ])
      expect(bytes).toBe(worktrees[0]!.bytes)
      expect(bytes).toBeGreaterThan(0)
      expect(branches).toMatchObject([{ epic: 'T001', branch: 'cleo/T001', onto: 'main' }])
    }))
})
