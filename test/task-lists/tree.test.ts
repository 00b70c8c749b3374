import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('tree nests open tasks below their parents, with closed ones on request', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'task', parent: 'T001' })
      await must('tasks.add', { title: 'subtask', parent: 'T002' })
      await must('tasks.add', { title: 'done', parent: 'T001' })
      await must('tasks.add', { title: 'other' })
      await must('tasks.complete', { id: 'T004' })
      expect((await must('tasks.tree', {})).tree).toMatchObject([
        { id: 'T001', children: [{ id: 'T002', children: [{ id: 'T003' }] }] },
        { id: 'T005' },
      ])
      const { tree } = await must('tasks.tree', { id: 'T001', all: true })
      expect(tree[0]!.children?.map(({ id }) => id)).toEqual(['T002', 'T004'])
      expect((await must('tasks.tree', { id: 'T002' })).tree).toMatchObject([{ id: 'T002' }])
    }))

  test('tree says how many tasks the limit leaves out, and refuses a task that does not exist', () =>
    withProject(async ({ call, must }) => {
      for (const n of [1, 2, 3]) await must('tasks.add', { title: `${n}` })
      expect(await must('tasks.tree', { limit: 2 })).toMatchObject({ tree: [{}, {}], leftOut: 1 })
      expect(await call('tasks.tree', { id: 'T009' })).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))
})
