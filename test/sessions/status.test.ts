import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('status shows the named session, else the session of the caller', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      const { id } = await must('session.start', { name: 'night' })
      await as('ann', id).must('tasks.note', { id: 'T001', text: 'x' })
      const named = await must('session.status', { id })
      expect(named).toMatchObject({ id, name: 'night', by: 'ada', tasks: ['T001'], status: 'active' })
      expect(await as('ann', id).must('session.status', {})).toEqual(named)
    }))

  test('status refuses no session, an unknown one, and a malformed id', () =>
    withProject(async ({ as, call }) => {
      expect(await call('session.status', {})).toMatchObject({ code: 'session.unnamed', exit: 31 })
      expect(await call('session.status', { id: 'ses_missing' })).toMatchObject({
        code: 'session.not_found',
        exit: 31,
      })
      expect(await call('session.status', { id: 'night' })).toMatchObject({ code: 'input.invalid' })
      expect(await as('ann', 'ses_nobody').call('tasks.list', {})).toMatchObject({
        code: 'session.not_found',
        exit: 31,
      })
    }))
})
