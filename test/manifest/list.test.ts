import { expect, test } from 'vitest'
import { appendFive, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] entries are listed newest first, by page and by filter', () =>
    withSpawnedTask(withProject, async (project) => {
      await appendFive(project)
      const ids = async (input: object) =>
        (await project.must('pipeline.manifest.list', input)).entries.map(({ id }) => id)
      expect(await ids({ limit: 2 })).toEqual(['T003-part-5', 'T003-part-4'])
      const first = await project.call('pipeline.manifest.list', { limit: 2 })
      const after = Number(first.ok && first.page?.next)
      expect(first).toMatchObject({ page: { total: 5, limit: 2 } })
      expect(await ids({ limit: 2, after })).toEqual(['T003-part-3', 'T003-part-2'])
      expect(await ids({ status: 'partial' })).toEqual(['T003-part-4', 'T003-part-2'])
      expect(await ids({ agentType: 'analysis', epic: 'T001' })).toEqual(['T003-part-2', 'T003-part-1'])
      expect(await ids({ task: 'T002' })).toEqual([])
    }))

  test('[MANI-5] an unknown task or epic and an invalid page are refused', () =>
    withSpawnedTask(withProject, async ({ call }) => {
      const none = { code: 'task.not_found', exit: 4 }
      expect(await call('pipeline.manifest.list', { epic: 'T099' })).toMatchObject(none)
      expect(await call('pipeline.manifest.list', { task: 'T099' })).toMatchObject(none)
      for (const after of [0, 1.5, -1])
        expect(await call('pipeline.manifest.list', { after })).toMatchObject({ code: 'input.invalid' })
    }))
})
