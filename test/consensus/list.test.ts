import { expect, test } from 'vitest'
import { openQuestion, openVote, vote, voteOf } from '../support/consensus-project.ts'
import { onEveryStore } from '../support/project.ts'
import { send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[PROT-3] list shows undecided votes first, with task, question, votes and verdict', () =>
    withProject(async (project) => {
      expect(await project.must('consensus.list', {})).toEqual({ consensus: [] })
      await openQuestion(project, 2)
      await project.as('T003.1').must('consensus.vote', vote('table', 'accept'))
      await project.as('T004.1').must('consensus.vote', vote('table', 'accept'))
      await project.must('tasks.add', { title: 'Mail', type: 'epic' })
      await project.must('tasks.add', { title: 'Choose a mailer', parent: 'T005' })
      const asked = { question: 'Which\nmailer? '.repeat(40), option: ['own', 'hired'] }
      await project.must('consensus.open', { id: 'T006', ...asked, voters: 3 })
      const { as } = await send(project, 'T007')
      await as.must('consensus.vote', voteOf('C2', '2', 'abstain'))
      const { consensus } = await project.must('consensus.list', {})
      expect(consensus).toMatchObject([
        { id: 'C2', taskId: 'T006', round: 1, votes: 1, of: 3, verdict: null },
        { id: 'C1', taskId: 'T002', question: 'Which queue?', votes: 2, verdict: 'proven', option: 'table' },
      ])
      expect(consensus[0]!.question).toMatch(/^Which mailer\? Which mailer\? .*…$/)
      expect(consensus[1]).not.toHaveProperty('of')
      const ids = async (input: object) =>
        (await project.must('consensus.list', input)).consensus.map(({ id }) => id)
      expect(await ids({ open: true })).toEqual(['C2'])
      expect(await ids({ epic: 'T001' })).toEqual(['C1'])
      expect(await ids({ epic: 'T002' })).toEqual(['C1'])
      const first = await project.call('consensus.list', { limit: 1 })
      expect(first).toMatchObject({ page: { total: 2, limit: 1, next: '1' } })
      expect(await ids({ limit: 1, after: '1' })).toEqual(['C1'])
      expect(await project.call('consensus.list', { after: 'C1' })).toMatchObject({ exit: 6 })
      expect(await project.call('consensus.list', { epic: 'T099' })).toMatchObject({ exit: 4 })
    }))

  test('[PROT-3] show names the vote that a task needs or takes part in', () =>
    withProject(async (project) => {
      await openVote(project)
      const line = { id: 'C1', taskId: 'T002', question: 'Which queue?', votes: 0, of: 3, verdict: null }
      for (const id of ['T002', 'T003'])
        expect((await project.must('tasks.show', { id })).consensus).toEqual([{ ...line, round: 1 }])
      expect(await project.must('tasks.show', { id: 'T001' })).not.toHaveProperty('consensus')
    }))

  test('[PROT-3] two voters with one name are told, and count as one', () =>
    withProject(async (project) => {
      await openQuestion(project, 0)
      const bob = project.as('bob')
      await bob.must('consensus.vote', vote('table', 'accept'))
      const second = await bob.call('consensus.vote', vote('table', 'reject', 0.3))
      expect(second).toMatchObject({ ok: true, value: { replaced: true } })
      expect(second.ok && second.warnings?.[0]).toMatch(
        /^bob had voted accept 0\.8 on this option at .*; the new vote replaces it\. If that was another voter/,
      )
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: 'insufficient',
        voters: 1,
        why: 'only bob has accepted or rejected an option; at least two voters must, each under its own name (--as)',
      })
    }))

  test('[PROT-3] by name, a vote after the task is closed is refused with the verdict', () =>
    withProject(async (project) => {
      await openQuestion(project, 0)
      for (const name of ['bob', 'cyd'])
        await project.as(name).must('consensus.vote', { ...vote('1', 'accept'), id: 'T002' })
      // The verdict can still change while the task is open.
      await project.as('dan').must('consensus.vote', vote('table', 'reject', 0.1))
      await project.must('tasks.complete', { id: 'T002' })
      expect(await project.as('eve').call('consensus.vote', vote('table', 'reject'))).toMatchObject({
        code: 'consensus.over',
        exit: 6,
        message: 'C1 is proven: table, and T002 is done. Nothing was changed.',
      })
    }))
})
