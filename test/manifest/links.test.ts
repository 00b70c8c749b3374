import { expect, test } from 'vitest'
import { withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] links are listed from both ends, with the agent that made them', () =>
    withSpawnedTask(withProject, async (project) => {
      const { id: entry } = await project.must('pipeline.manifest.append', {
        task: 'T002',
        status: 'partial',
        followup: ['x'],
      })
      await project.as('T002.1').must('research.link', { task: 'T003', entry })
      const links = [{ taskId: 'T003', entryId: entry, by: 'T002.1' }]
      expect(await project.must('research.links', { id: 'T003' })).toEqual({ links })
      expect(await project.must('research.links', { id: entry })).toEqual({ links })
      expect(await project.must('research.links', { id: 'T001' })).toEqual({ links: [] })
    }))

  test('[MANI-5] links of an unknown task or entry are refused', () =>
    withSpawnedTask(withProject, async (project) => {
      expect(await project.call('research.links', { id: 'T099' })).toMatchObject({ code: 'task.not_found' })
      const none = { code: 'entry.not_found', fix: 'cleo manifest list' }
      expect(await project.call('research.links', { id: 'T002-no' })).toMatchObject(none)
      expect(await project.call('research.links', { id: 'nope' })).toMatchObject(none)
    }))
})
