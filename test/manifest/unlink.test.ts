import { expect, test } from 'vitest'
import { withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] a link is removed once, and both ends must exist', () =>
    withSpawnedTask(withProject, async (project) => {
      const { id: entry } = await project.must('pipeline.manifest.append', {
        task: 'T002',
        status: 'partial',
        followup: ['x'],
      })
      const agent = project.as('T002.1')
      await agent.must('research.link', { task: 'T003', entry })
      expect(await agent.must('research.unlink', { task: 'T003', entry })).toEqual({
        taskId: 'T003',
        entryId: entry,
      })
      expect(await agent.must('research.unlink', { task: 'T003', entry })).toMatchObject({ noChange: true })
      expect(await project.must('research.links', { id: entry })).toEqual({ links: [] })
      expect((await project.must('admin.log', { operation: 'research.unlink' })).entries).toMatchObject([
        { taskId: 'T003', before: { link: entry } },
      ])
      expect(await project.call('research.unlink', { task: 'T003', entry: 'T002' })).toMatchObject({
        code: 'entry.not_found',
        fix: 'cleo manifest list',
      })
      expect(await project.call('research.unlink', { task: 'T099', entry })).toMatchObject({
        code: 'task.not_found',
      })
    }))
})
