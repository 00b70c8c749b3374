import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[OPS-1] a new task is added from a document, with every problem at its line', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      const { document } = (await must('tasks.new', {
        parent: 'T001',
        size: 'small',
        acceptance: ['works'],
      })) as {
        document: string
      }
      const text = document.replace('title:', 'title: A new one')
      expect(await must('tasks.new', { text })).toEqual({ id: 'T002', title: 'A new one', type: 'task' })
      expect(await must('tasks.show', { id: 'T002' })).toMatchObject({ parent: 'T001', size: 'small' })
      expect(await call('tasks.new', { text: document })).toMatchObject({
        code: 'input.invalid',
        problems: [{ path: 'line 4', message: 'title is missing' }],
      })
      expect(await call('tasks.new', { text: text.replace('depends:', 'depends: T077') })).toMatchObject({
        code: 'dependency.not_found',
        problems: [{ message: 'depends: Unknown dependency: T077.' }],
      })
      expect(await must('tasks.undo', {})).toMatchObject({ tasks: [{ id: 'T002', change: 'cancelled' }] })
    }))
})
