import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('note is written on the task in focus', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('ann').must('focus.note', { text: 'tests pass' })).toEqual({ id: 'T001' })
      expect((await must('tasks.show', { id: 'T001' })).notes).toMatchObject([
        { by: 'ann', text: 'tests pass' },
      ])
    }))

  test('note refuses an agent without focus, and blank text', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      expect(await as('ann').call('focus.note', { text: 'x' })).toMatchObject({ code: 'focus.missing' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('ann').call('focus.note', { text: ' ' })).toMatchObject({ code: 'input.invalid' })
    }))
})
