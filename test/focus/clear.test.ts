import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('clear releases the task in focus, or the named one', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('ann').must('focus.clear', {})).toEqual({ id: 'T001', status: 'pending' })
      const task = await must('tasks.show', { id: 'T001' })
      expect(task.status).toBe('pending')
      expect(task.claim).toBeUndefined()
      await as('bob').must('focus.set', { id: 'T001' })
      expect(await as('bob').must('focus.clear', { id: 'T001' })).toMatchObject({ status: 'pending' })
    }))

  test('clear refuses the task of another agent, no focus, and a task that does not exist', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('bob').call('focus.clear', { id: 'T001' })).toMatchObject({
        code: 'claim.held',
        exit: 35,
      })
      expect(await as('bob').call('focus.clear', {})).toMatchObject({ code: 'focus.missing' })
      expect(await as('bob').call('focus.clear', { id: 'T009' })).toMatchObject({ code: 'task.not_found' })
    }))
})
