import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('block keeps the reason, drops the claim and puts the task into the inbox', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('ann').must('tasks.block', { id: 'T001', reason: 'no access' })).toEqual({
        id: 'T001',
        status: 'blocked',
        reason: 'no access',
      })
      const task = await must('tasks.show', { id: 'T001' })
      expect(task).toMatchObject({ status: 'blocked', reason: 'no access' })
      expect(task.claim).toBeUndefined()
      expect((await as('ann').must('focus.show', {})).task).toBeNull()
      expect((await must('inbox.list', {})).items).toMatchObject([{ id: 'T001', kind: 'blocked' }])
    }))

  test('block refuses closed and blocked tasks, and a task that does not exist', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'one' })
      await must('tasks.block', { id: 'T001', reason: 'no access' })
      expect(await call('tasks.block', { id: 'T001', reason: 'again' })).toMatchObject({
        code: 'task.status',
      })
      await must('tasks.unblock', { id: 'T001' })
      await must('tasks.complete', { id: 'T001' })
      expect(await call('tasks.block', { id: 'T001', reason: 'late' })).toMatchObject({ code: 'task.status' })
      expect(await call('tasks.block', { id: 'T009', reason: 'x' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
      expect(await call('tasks.block', { id: 'T001', reason: '' })).toMatchObject({ code: 'input.invalid' })
    }))
})
