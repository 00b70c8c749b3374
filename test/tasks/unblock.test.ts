import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('unblock makes the task pending and ready again, without the reason', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'one' })
      await must('tasks.block', { id: 'T001', reason: 'no access' })
      expect((await must('orchestrate.ready', {})).tasks).toEqual([])
      expect(await must('tasks.unblock', { id: 'T001' })).toEqual({ id: 'T001', status: 'pending' })
      expect((await must('tasks.show', { id: 'T001' })).reason).toBeUndefined()
      expect((await must('orchestrate.ready', {})).tasks).toMatchObject([{ id: 'T001' }])
    }))

  test('unblock refuses a task that is not blocked or does not exist', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'one' })
      expect(await call('tasks.unblock', { id: 'T001' })).toMatchObject({ code: 'task.status' })
      expect(await call('tasks.unblock', { id: 'T009' })).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))
})
