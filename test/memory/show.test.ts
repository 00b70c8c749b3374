import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MEM-1] a memory is shown with its kind, tasks, source, author and time', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Money' })
      const text = `Money is kept in cents.\n${'x'.repeat(1000)}`
      await project
        .as('bob')
        .must('memory.observe', { text, kind: 'decision', task: ['T001'], source: 'docs/money.md' })
      expect(await must('memory.show', { id: 'm1' })).toEqual({
        id: 'M1',
        kind: 'decision',
        text,
        tasks: ['T001'],
        source: 'docs/money.md',
        by: 'bob',
        at: expect.stringMatching(/^20/),
      })
    }))

  test('[MEM-1] an unknown memory is not found, and an invalid id is refused', () =>
    withProject(async ({ call }) => {
      expect(await call('memory.show', { id: 'M9' })).toMatchObject({ code: 'memory.not_found', exit: 4 })
      for (const id of ['M0', 'T001', '9', 'M1x'])
        expect(await call('memory.show', { id })).toMatchObject({ code: 'input.invalid', exit: 6 })
    }))
})
