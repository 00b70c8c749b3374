import { expect, test } from 'vitest'
import { appendFive, done, echo, line, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] a task shows its newest entry and names the earlier ones', () =>
    withSpawnedTask(withProject, async (project) => {
      await appendFive(project)
      expect(await project.call('pipeline.manifest.show', { id: 't3' })).toMatchObject({
        value: { id: 'T003-part-5', status: 'complete', needs_followup: ['zebra5'] },
        warnings: ['T003 has 5 entries; earlier ones: T003-part-4, T003-part-3, T003-part-2, T003-part-1'],
      })
      const one = await project.call('pipeline.manifest.show', { id: 't003-part-2' })
      expect(one).toMatchObject({ value: { id: 'T003-part-2', status: 'partial' }, warnings: [] })
    }))

  test('[MANI-5] an ingested line is marked, an entry submitted by command is not', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, line({ id: 'T003-by-hand', status: 'complete', file: 'T002-compare-hashing.md' }))
      await project.must('pipeline.manifest.sync', {})
      await project.as('T002.1').must('pipeline.manifest.append', done)
      expect(await project.must('pipeline.manifest.show', { id: 'T003' })).toMatchObject({ origin: 'line' })
      expect(await project.must('pipeline.manifest.show', { id: 'T002' })).not.toHaveProperty('origin')
    }))

  test('[MANI-5] an unknown entry, a task without one and an invalid id are refused', () =>
    withSpawnedTask(withProject, async ({ call }) => {
      const show = (id: string) => call('pipeline.manifest.show', { id })
      expect(await show('no such')).toMatchObject({ code: 'entry.not_found', fix: 'cleo manifest list' })
      expect(await show('T003')).toMatchObject({ code: 'entry.none' })
      for (const id of ['a\0b', '', 'x'.repeat(201)])
        expect(await show(id)).toMatchObject({ code: 'input.invalid' })
    }))
})
