import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('show returns the task in focus with the claim, by agent and session', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      const { id: session } = await must('session.start', {})
      await as('ann', session).must('focus.set', { id: 'T001' })
      expect(await as('ann', session).must('focus.show', {})).toMatchObject({
        agent: 'ann',
        task: { id: 'T001', status: 'active' },
        since: expect.any(String),
        claim: { owner: 'ann', epoch: 1 },
      })
      expect(await as('ann').must('focus.show', {})).toEqual({ agent: 'ann', task: null })
      expect(await as('bob', session).must('focus.show', {})).toEqual({ agent: 'bob', task: null })
    }))

  test('show leaves out the claim once another agent has it', () =>
    withProject(async ({ as, must, pass }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      await pass(3_600_000)
      await as('bob').must('focus.set', { id: 'T001' })
      const shown = await as('ann').must('focus.show', {})
      expect(shown.task).toMatchObject({ id: 'T001' })
      expect(shown.claim).toBeUndefined()
    }))
})
