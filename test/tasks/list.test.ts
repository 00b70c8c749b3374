import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('list shows open tasks by default, and filters by every given field', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', {
        title: 'child',
        parent: 'T001',
        labels: ['a'],
        priority: 'high',
        size: 'small',
      })
      await must('tasks.add', { title: 'done' })
      await must('tasks.complete', { id: 'T003' })
      const ids = async (filter: Parameters<typeof must<'tasks.list'>>[1]) =>
        (await must('tasks.list', filter)).tasks.map(({ id }) => id)
      expect(await ids({})).toEqual(['T001', 'T002'])
      expect(await ids({ all: true })).toEqual(['T001', 'T002', 'T003'])
      expect(await ids({ status: 'done' })).toEqual(['T003'])
      expect(await ids({ type: 'epic' })).toEqual(['T001'])
      expect(await ids({ parent: 'T001' })).toEqual(['T002'])
      expect(await ids({ epic: 'T001' })).toEqual(['T001', 'T002'])
      expect(await ids({ label: 'a', priority: 'high', size: 'small' })).toEqual(['T002'])
      expect(await ids({ priority: 'critical' })).toEqual([])
    }))

  test('list pages in order of creation and counts all that match', () =>
    withProject(async ({ call, must }) => {
      for (const n of [1, 2, 3]) await must('tasks.add', { title: `${n}` })
      expect(await call('tasks.list', { limit: 2 })).toMatchObject({
        value: { tasks: [{ id: 'T001' }, { id: 'T002' }] },
        page: { total: 3, limit: 2, next: 'T002' },
      })
      const last = await call('tasks.list', { limit: 2, after: 'T002' })
      expect(last).toMatchObject({ value: { tasks: [{ id: 'T003' }] }, page: { total: 3 } })
      expect(last).not.toHaveProperty('page.next')
      expect(await call('tasks.list', { limit: 0 })).toMatchObject({ code: 'input.invalid' })
    }))
})
