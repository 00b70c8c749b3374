import { expect, test } from 'vitest'
import { addEpic } from '../support/lifecycle-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-2] only consensus, architecture decision and release can be skipped, with a reason', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project)
      expect(await call('lifecycle.skip', { id: 'T001', reason: 'known' })).toMatchObject({
        code: 'stage.unskippable',
        exit: 6,
      })
      await must('tasks.complete', { id: 'T002' })
      await must('lifecycle.advance', { id: 'T001' })
      await must('lifecycle.skip', { id: 'T001', reason: 'one way only' })
      expect(await must('lifecycle.skip', { id: 'T001', reason: 'nothing to decide' })).toEqual({
        id: 'T001',
        skipped: 'architecture-decision',
        stage: 'specification',
      })
      const { stages } = await must('lifecycle.show', { id: 'T001' })
      expect(stages.slice(0, 4)).toEqual([
        { stage: 'research', state: 'done' },
        { stage: 'consensus', state: 'skipped', reason: 'one way only' },
        { stage: 'architecture-decision', state: 'skipped', reason: 'nothing to decide' },
        { stage: 'specification', state: 'current' },
      ])
    }))

  test('[PROT-2] any reason is stored unchanged', () =>
    withProject(async ({ must }) => {
      const reason = '\u001b[31m"; DROP TABLE tasks; --\u202e\0{{TASK_ID}}'
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'consensus' })
      await must('lifecycle.skip', { id: 'T001', reason })
      expect((await must('lifecycle.show', { id: 'T001' })).stages[1]).toMatchObject({ reason })
    }))

  test('[PROT-2] skipping a stage with open tasks warns which are left', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'consensus' })
      await must('tasks.add', { title: 'Choose', parent: 'T001', stage: 'consensus' })
      expect(await call('lifecycle.skip', { id: 'T001', reason: 'one option' })).toMatchObject({
        value: { skipped: 'consensus', stage: 'architecture-decision' },
        warnings: ['still open at consensus: T002'],
      })
    }))

  test('[PROT-2] a closed epic, a task and an unknown id cannot skip', () =>
    withProject(async ({ must, call }) => {
      const reason = 'not needed'
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'release' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      expect(await call('lifecycle.skip', { id: 'T002', reason })).toMatchObject({ code: 'epic.expected' })
      expect(await call('lifecycle.skip', { id: 'T099', reason })).toMatchObject({ code: 'task.not_found' })
      expect(await call('lifecycle.skip', { id: 'T001', reason: ' ' })).toMatchObject({
        code: 'input.invalid',
      })
      await must('tasks.cancel', { id: 'T002', reason })
      await must('tasks.cancel', { id: 'T001', reason })
      expect(await call('lifecycle.skip', { id: 'T001', reason })).toMatchObject({ code: 'task.status' })
    }))
})
