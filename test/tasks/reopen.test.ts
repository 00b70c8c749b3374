import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('reopen makes a task and its closed ancestors pending, and blocks its dependents again', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'child', parent: 'T001' })
      await must('tasks.add', { title: 'waits', depends: ['T002'] })
      await must('tasks.complete', { id: 'T002' })
      expect((await must('tasks.show', { id: 'T001' })).status).toBe('done')
      expect(await must('tasks.reopen', { id: 'T002', reason: 'fails on empty input' })).toEqual({
        id: 'T002',
        status: 'pending',
        reopened: ['T002', 'T001'],
      })
      const task = await must('tasks.show', { id: 'T002' })
      expect(task).toMatchObject({
        status: 'pending',
        notes: [{ text: 'Opened again: fails on empty input' }],
      })
      expect(task.completedAt).toBeUndefined()
      expect((await must('tasks.deps', { id: 'T003' })).open).toEqual(['T002'])
    }))

  test('reopen refuses an open task and one that does not exist', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'one' })
      expect(await call('tasks.reopen', { id: 'T001', reason: 'x' })).toMatchObject({ code: 'task.status' })
      expect(await call('tasks.reopen', { id: 'T009', reason: 'x' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
    }))
})
