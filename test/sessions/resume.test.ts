import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('resume makes an ended session active again', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      const { id } = await must('session.start', {})
      await must('session.end', { id, note: 'go on with T001' })
      const resumed = await as('ada', id).must('session.resume', {})
      expect(resumed).toMatchObject({ id, status: 'active', notes: ['go on with T001'] })
      expect(resumed.endedAt).toBeUndefined()
      expect(await as('ada', id).must('tasks.note', { id: 'T001', text: 'again' })).toMatchObject({
        notes: 1,
      })
    }))

  test('resume of an active session changes nothing, and refuses an unknown one', () =>
    withProject(async ({ call, must }) => {
      const { id } = await must('session.start', {})
      expect(await must('session.resume', { id })).toMatchObject({ status: 'active', noChange: true })
      expect(await call('session.resume', { id: 'ses_missing' })).toMatchObject({
        code: 'session.not_found',
        exit: 31,
      })
      expect(await call('session.resume', {})).toMatchObject({ code: 'session.unnamed', exit: 31 })
    }))
})
