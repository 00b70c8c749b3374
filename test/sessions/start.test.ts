import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('start returns an id, and the name and scope of the epic', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      expect(await must('session.start', { epic: 'T001' })).toMatchObject({
        id: expect.stringMatching(/^ses_[0-9a-z]{12}$/),
        name: 'Accounts',
        scope: 'T001',
        status: 'active',
      })
      expect(await must('session.start', { name: 'night' })).toMatchObject({ name: 'night', scope: 'global' })
    }))

  test('[OPS-1] an epic given as the name is the scope', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      for (const name of ['T001', 't1'])
        expect(await must('session.start', { name })).toMatchObject({ name: 'Accounts', scope: 'T001' })
      expect(await must('session.start', { name: '2026' })).toMatchObject({ name: '2026', scope: 'global' })
      expect(await call('session.start', { name: 'T009' })).toMatchObject({ code: 'scope.invalid', exit: 33 })
      const both = await must('session.start', { name: 'T009', epic: 'T001' })
      expect(both).toMatchObject({ name: 'T009', scope: 'T001' })
    }))

  test('[SESS-1] a session needs an epic for its scope', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'task' })
      expect(await call('session.start', { epic: 'T001' })).toMatchObject({ code: 'scope.invalid', exit: 33 })
      expect(await call('session.start', { epic: 'T009' })).toMatchObject({ code: 'scope.invalid', exit: 33 })
    }))
})
