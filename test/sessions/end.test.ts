import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[SESS-2] end keeps the note and the touched tasks, and refuses further changes', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'inside', parent: 'T001' })
      const { id } = await must('session.start', { name: 'night', epic: 'T001' })
      const ann = as('ann', id)
      await ann.must('focus.set', { id: 'T002' })
      expect(await ann.must('session.end', { note: 'half done' })).toMatchObject({
        tasks: ['T002'],
        notes: ['half done'],
        status: 'ended',
      })
      expect(await ann.call('tasks.note', { id: 'T002', text: 'x' })).toMatchObject({
        code: 'session.ended',
        exit: 31,
      })
      expect((await ann.must('tasks.list', {})).tasks).toHaveLength(2)
    }))

  test('end of an ended session changes nothing; without an id it needs a session', () =>
    withProject(async ({ call, must }) => {
      const { id } = await must('session.start', {})
      await must('session.end', { id })
      expect(await must('session.end', { id, note: 'late' })).toMatchObject({ noChange: true })
      expect((await must('session.status', { id })).notes).toBeUndefined()
      expect(await call('session.end', {})).toMatchObject({ code: 'session.unnamed', exit: 31 })
      expect(await call('session.end', { id: 'ses_missing' })).toMatchObject({
        code: 'session.not_found',
        exit: 31,
      })
    }))
})
