import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('note adds to the notes of a task, with author and session, also when it is done', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      const { id: session } = await must('session.start', {})
      expect(await as('ann', session).must('tasks.note', { id: 'T001', text: 'half way' })).toEqual({
        id: 'T001',
        notes: 1,
      })
      await must('tasks.complete', { id: 'T001' })
      expect(await must('tasks.note', { id: 'T001', text: 'for later' })).toMatchObject({ notes: 2 })
      expect((await must('tasks.show', { id: 'T001' })).notes).toMatchObject([
        { by: 'ann', text: 'half way' },
        { by: 'ada', text: 'for later' },
      ])
      expect((await must('session.status', { id: session })).tasks).toEqual(['T001'])
    }))

  test('note refuses blank text and a task that does not exist', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'one' })
      expect(await call('tasks.note', { id: 'T001', text: ' \n ' })).toMatchObject({ code: 'input.invalid' })
      expect(await call('tasks.note', { id: 'T009', text: 'x' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
    }))
})
