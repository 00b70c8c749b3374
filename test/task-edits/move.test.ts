import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[OPS-1] mv puts tasks below another one, or at the top', () =>
    withProject(async ({ must, call }) => {
      for (const title of ['Accounts', 'Billing']) await must('tasks.add', { title, type: 'epic' })
      for (const title of ['Form', 'Mail']) await must('tasks.add', { title, parent: 'T001' })
      const parentOf = async (id: string) => (await must('tasks.show', { id })).parent
      expect(await must('tasks.move', { id: 'T003', to: 't2' })).toEqual({ id: 'T003', changed: ['parent'] })
      expect(await parentOf('T003')).toBe('T002')
      expect(await call('tasks.move', { id: 'T003', more: ['T004'], to: 'T001' })).toMatchObject({
        value: { tasks: [{ id: 'T003' }, { id: 'T004', noChange: true }] },
      })
      for (const to of ['-', '/', 'none']) {
        await must('tasks.move', { id: 'T004', to })
        expect(await parentOf('T004')).toBeUndefined()
        await must('tasks.undo', {})
        expect(await parentOf('T004')).toBe('T001')
      }
    }))

  test('[TASK-3] mv refuses a missing parent, a cycle and a place that is too deep', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      await must('tasks.add', { title: 'Field', parent: 'T002' })
      await must('tasks.add', { title: 'Mail', parent: 'T001' })
      expect(await call('tasks.move', { id: 'T004', to: 'T099' })).toMatchObject({ code: 'parent.not_found' })
      expect(await call('tasks.move', { id: 'T002', to: 'T003' })).toMatchObject({ ok: false })
      expect(await call('tasks.move', { id: 'T004', to: 'T004' })).toMatchObject({ ok: false })
      expect(await call('tasks.move', { id: 'T004', to: 'here' })).toMatchObject({
        problems: [{ path: 'to', message: '"here" is not a task id; ids look like T012' }],
      })
    }))
})
