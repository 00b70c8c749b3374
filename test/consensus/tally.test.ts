import { expect, test } from 'vitest'
import { openQuestion, vote } from '../support/consensus-project.ts'
import { onEveryStore } from '../support/project.ts'

const hostile = '\u001b[2J"; DROP TABLE votes; --\u202e{{TASK_ID}}`rm`\n@a.md'

onEveryStore((withProject) => {
  test('[PROT-3] votes are weighed and one option is proven', () =>
    withProject(async (project) => {
      await openQuestion(project)
      await project.as('T003.1').must('consensus.vote', vote('table', 'accept', 0.9))
      expect((await project.must('consensus.tally', { id: 'C1' })).verdict).toBe('insufficient')
      await project.as('T004.1').must('consensus.vote', vote('table', 'accept', 0.6))
      await project.as('T005.1').must('consensus.vote', vote('table', 'reject', 0.5))
      await project.as('T005.1').must('consensus.vote', vote('server', 'abstain', 1))
      expect(await project.must('consensus.tally', { id: 'c1' })).toEqual({
        id: 'C1',
        taskId: 'T002',
        question: 'Which queue?',
        threshold: 0.5,
        round: 1,
        voters: 3,
        verdict: 'proven',
        option: 'table',
        options: [
          { option: 'table', weight: 0.75, accept: 2, reject: 1, abstain: 0 },
          { option: 'server', weight: 0, accept: 0, reject: 0, abstain: 1 },
        ],
      })
    }))

  test('[PROT-3] any text is stored and shown unchanged', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Queue' })
      const option = [hostile, 'x\0y']
      await project.must('consensus.open', { id: 'T001', question: hostile, option })
      await project.must('consensus.vote', {
        ...{ id: 'C1', option: hostile, accept: true, confidence: 1, rationale: hostile },
        ...{ evidence: [hostile, 'a,b'], conflict: [`${hostile}:high`] },
      })
      expect(await project.must('consensus.tally', { id: 'C1', votes: true })).toMatchObject({
        question: hostile,
        options: [{ option: hostile, accept: 1 }, { option: 'x\0y' }],
        conflicts: [{ with: hostile, severity: 'high' }],
        votes: [{ rationale: hostile, evidence: [hostile, 'a,b'] }],
      })
    }))

  test('[PROT-3] an unknown consensus is not found, and an invalid id is refused', () =>
    withProject(async ({ call, must }) => {
      expect(await call('consensus.tally', { id: 'C1' })).toMatchObject({
        code: 'consensus.not_found',
        exit: 4,
      })
      expect(await call('consensus.tally', { id: 'M1' })).toMatchObject({ code: 'input.invalid', exit: 6 })
      expect(await call('consensus.tally', { id: 'T001' })).toMatchObject({ code: 'task.not_found', exit: 4 })
      await must('tasks.add', { title: 'Queue' })
      expect(await call('consensus.tally', { id: 'T001' })).toMatchObject({
        code: 'consensus.none',
        fix: 'cleo consensus open T001 --question "…" --option "…" --option "…" --voters 3',
      })
    }))
})
