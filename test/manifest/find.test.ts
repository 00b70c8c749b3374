import { expect, test } from 'vitest'
import { appendFive, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] entries are found by the beginnings of words, or by their task', () =>
    withSpawnedTask(withProject, async (project) => {
      await appendFive(project)
      const found = async (query: string) => project.call('pipeline.manifest.find', { query, limit: 2 })
      expect(await found('zebra4')).toMatchObject({ value: { entries: [{ id: 'T003-part-4' }] } })
      expect(await found('zebra')).toMatchObject({ page: { total: 5, next: '2' } })
      expect(await found('t3')).toMatchObject({ page: { total: 5 } })
      expect(await found('giraffe')).toMatchObject({ value: { entries: [] }, page: { total: 0 } })
      expect(await found('"*')).toMatchObject({ value: { entries: [] } })
    }))

  test.each(['zebra', 'T003'])('[OUT-4] pages of %s follow each other without gaps or repeats', (query) =>
    withSpawnedTask(withProject, async (project) => {
      await appendFive(project)
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await project.call('pipeline.manifest.find', { query, limit: 2, after })
        if (!page.ok) throw new Error(page.message)
        seen.push(...page.value.entries.map(({ id }) => id))
        after = page.page?.next
      } while (after)
      expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `T003-part-${n}`))
      for (const cursor of ['x', '-1', '1.5'])
        expect(await project.call('pipeline.manifest.find', { query, after: cursor })).toMatchObject({
          code: 'input.invalid',
        })
    }),
  )
})
