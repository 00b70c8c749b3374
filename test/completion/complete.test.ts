import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[TASK-9] completing the last child completes the parent and says what it unblocked', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      await must('tasks.add', { title: 'Mails', depends: ['T001'] })
      expect(await must('tasks.complete', { id: 'T002' })).toEqual({
        id: 'T002',
        status: 'done',
        unblocked: ['T003'],
        completed: ['T001'],
      })
    }))

  test('[TASK-9] completing a done task changes nothing and says so', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Form' })
      await must('tasks.complete', { id: 'T001' })
      expect(await must('tasks.complete', { id: 'T001' })).toMatchObject({ noChange: true })
      expect((await must('admin.log', { operation: 'tasks.complete' })).entries).toHaveLength(1)
    }))

  test('[TASK-9] a parent with open children is refused with 16', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      expect(await call('tasks.complete', { id: 'T001' })).toMatchObject({
        ok: false,
        code: 'children.open',
        exit: 16,
      })
    }))
})
