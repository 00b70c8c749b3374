import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('deps shows own and inherited dependencies, dependents, and which are open', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'first' })
      await must('tasks.add', { title: 'second' })
      await must('tasks.add', { title: 'epic', type: 'epic', depends: ['T001'] })
      await must('tasks.add', { title: 'child', parent: 'T003', depends: ['T002'] })
      await must('tasks.add', { title: 'last', depends: ['T004'] })
      const before = await must('tasks.deps', { id: 'T004' })
      expect(before).toMatchObject({
        needs: [{ id: 'T002', status: 'pending' }],
        inherited: [{ id: 'T001' }],
        neededBy: [{ id: 'T005' }],
        open: ['T001', 'T002'],
      })
      await must('tasks.complete', { id: 'T002' })
      expect(await must('tasks.deps', { id: 'T004' })).toMatchObject({
        needs: [{ id: 'T002', status: 'done' }],
        open: ['T001'],
      })
    }))

  test('deps refuses a task that does not exist', () =>
    withProject(async ({ call }) => {
      expect(await call('tasks.deps', { id: 'T009' })).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))
})
