import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('list shows sessions newest first, by status and in pages', () =>
    withProject(async ({ call, must }) => {
      const ids: string[] = []
      for (const name of ['one', 'two', 'three']) ids.push((await must('session.start', { name })).id)
      await must('session.end', { id: ids[1]! })
      expect((await must('session.list', {})).sessions.map(({ name }) => name)).toEqual([
        'three',
        'two',
        'one',
      ])
      expect((await must('session.list', { status: 'ended' })).sessions).toMatchObject([{ id: ids[1] }])
      const first = await call('session.list', { limit: 2 })
      expect(first).toMatchObject({ page: { total: 3, next: '2' } })
      expect((await must('session.list', { limit: 2, after: 2 })).sessions).toMatchObject([{ name: 'one' }])
      expect(await call('session.list', { after: 0 })).toMatchObject({ code: 'input.invalid' })
    }))
})
