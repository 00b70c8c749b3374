import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('find matches beginnings of words in title and description, titles first', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'Mail queue', description: 'resets the password' })
      await must('tasks.add', { title: 'Password form' })
      await must('tasks.add', { title: 'Other' })
      const found = await call('tasks.find', { query: 'passw' })
      expect(found).toMatchObject({
        value: { tasks: [{ id: 'T002' }, { id: 'T001' }] },
        page: { total: 2 },
      })
      await must('tasks.update', { id: 'T002', title: 'Sign-in form' })
      expect((await must('tasks.find', { query: 'password' })).tasks).toMatchObject([{ id: 'T001' }])
      expect((await must('tasks.find', { query: '"\' OR *' })).tasks).toEqual([])
    }))

  test('find --exact matches only a whole title or an id', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Mail' })
      await must('tasks.add', { title: 'Mail queue' })
      expect((await must('tasks.find', { query: 'Mail', exact: true })).tasks).toMatchObject([{ id: 'T001' }])
      expect((await must('tasks.find', { query: 't2', exact: true })).tasks).toMatchObject([{ id: 'T002' }])
    }))

  test('find pages by `next` and refuses another cursor', () =>
    withProject(async ({ call, must }) => {
      for (const n of [1, 2, 3]) await must('tasks.add', { title: `Mail ${n}` })
      const first = await call('tasks.find', { query: 'mail', limit: 2 })
      expect(first).toMatchObject({ page: { total: 3, next: '2' } })
      const rest = await call('tasks.find', { query: 'mail', limit: 2, after: '2' })
      expect(rest).toMatchObject({ ok: true, value: { tasks: [{ id: expect.any(String) }] } })
      expect(await call('tasks.find', { query: 'mail', after: 'T001' })).toMatchObject({
        code: 'input.invalid',
      })
    }))
})
