import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('exists succeeds for a task by any form of its id, and exits 4 for any other', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'one' })
      for (const id of ['T001', 't1', '1'])
        expect(await must('tasks.exists', { id })).toEqual({ id: 'T001', exists: true })
      expect(await call('tasks.exists', { id: 'T002' })).toMatchObject({ code: 'task.not_found', exit: 4 })
      expect(await call('tasks.exists', { id: 'one' })).toMatchObject({ code: 'input.invalid' })
    }))
})
