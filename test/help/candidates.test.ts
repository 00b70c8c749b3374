import { expect, test } from 'vitest'
import { numbersBeginning } from '../../src/help/candidates.ts'
import { taskId } from '../../src/kernel/task-id.ts'
import { plantTasks } from '../support/counted.ts'
import { onEveryStore } from '../support/project.ts'

test('[OPS-1] the ranges of a beginning hold exactly the numbers whose id begins so', () => {
  for (const digits of ['0', '00', '01', '001', '1', '12', '123', '1234', '012', '0123', '9']) {
    const ranges = numbersBeginning(digits)
    for (let n = 1; n < 20_000; n++)
      expect({ n, inside: ranges.some(([from, to]) => n >= from && n <= to) }).toEqual({
        n,
        inside: taskId(n).startsWith(`T${digits}`),
      })
  }
})

onEveryStore((withProject) => {
  test('[OPS-1] at most fifty ids are offered, the newest first, whatever the number of tasks', () =>
    withProject(async (project) => {
      await plantTasks(await project.store(), 3000, "'task ' || n")
      const values = async (typed: string, kind: 'open' | 'tasks' | 'closed' = 'open') =>
        (await project.must('admin.candidates', { kind, typed })).values.map(({ value }) => value)
      const newest = await values('')
      expect(newest).toHaveLength(50)
      expect(newest[0]).toBe('T3000')
      expect(await values('T')).toEqual(newest)
      expect(await values('t299')).toEqual(['t299', ...[...'9876543210'].map((n) => `t299${n}`)])
      expect(await values('T3000')).toEqual(['T3000'])
      expect(await values('T2', 'tasks')).toHaveLength(50)
      expect(await values('', 'closed')).toEqual([])
      expect(await values('x')).toEqual([])
      expect(await values("T1'; drop table tasks; --")).toEqual([])
    }))

  test('[OPS-1] after a comma the next id is completed, without those already there', () =>
    withProject(async ({ must }) => {
      for (const title of ['Form', 'Mail', 'Page']) await must('tasks.add', { title })
      expect(await must('admin.candidates', { kind: 'tasks', typed: 'T001,T' })).toEqual({
        values: [
          { value: 'T001,T003', about: 'Page' },
          { value: 'T001,T002', about: 'Mail' },
        ],
      })
    }))

  test('[OPS-1] a title is one short printable line', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: `\u001b[31mred\u001b[0m ${'long '.repeat(30)}` })
      const { values } = await must('admin.candidates', { kind: 'tasks', typed: '' })
      expect(values[0]!.about).toHaveLength(60)
      expect(values[0]!.about).not.toContain('\u001b')
    }))
})
