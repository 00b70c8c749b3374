import { expect, test } from 'vitest'
import { withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] a task and an entry are linked once, and both must exist', () =>
    withSpawnedTask(withProject, async (project) => {
      const { id: entry } = await project.must('pipeline.manifest.append', {
        task: 'T002',
        status: 'partial',
        followup: ['x'],
      })
      const agent = project.as('T002.1')
      expect(await agent.must('research.link', { task: 'T003', entry })).toEqual({
        taskId: 'T003',
        entryId: entry,
      })
      expect(await agent.must('research.link', { task: 'T003', entry })).toMatchObject({ noChange: true })
      expect((await project.must('admin.log', { operation: 'research.link' })).entries).toMatchObject([
        { actor: 'T002.1', taskId: 'T003', after: { link: entry } },
      ])
      expect(await project.call('research.link', { task: 'T099', entry })).toMatchObject({
        code: 'task.not_found',
      })
      for (const unknown of ['T002-no', 'nope'])
        expect(await project.call('research.link', { task: 'T003', entry: unknown })).toMatchObject({
          code: 'entry.not_found',
          fix: 'cleo manifest list',
        })
      expect(await project.call('research.link', { task: 'x', entry })).toMatchObject({
        code: 'input.invalid',
      })
    }))
})
