import { expect, test } from 'vitest'
import { openQuestion, vote } from '../support/consensus-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-3] after a round without a verdict comes a second, and after that a person', () =>
    withProject(async (project) => {
      await openQuestion(project)
      const split = async () => {
        await project.as('T003.1').must('consensus.vote', vote('table', 'accept', 0.7))
        await project.as('T004.1').must('consensus.vote', vote('table', 'reject', 0.7))
      }
      expect(await project.call('consensus.open', { id: 'C1', again: true })).toMatchObject({
        code: 'consensus.unvoted',
        exit: 6,
      })
      await split()
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: null,
        then: 'cleo consensus open C1 --again',
      })
      expect(await project.must('consensus.open', { id: 'C1', again: true })).toMatchObject({ round: 2 })
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({ verdict: 'insufficient' })
      await split()
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: 'contested',
        then: 'cleo inbox',
      })
      expect(await project.call('consensus.open', { id: 'C1', again: true })).toMatchObject({
        code: 'consensus.over',
      })
    }))

  test('[PROT-3] opening the same question again returns the open one', () =>
    withProject(async (project) => {
      await openQuestion(project, 0)
      const asked = { id: 'T002', question: 'Which queue?', option: ['table', 'server'] }
      expect(await project.must('consensus.open', asked)).toMatchObject({ id: 'C1', noChange: true })
      expect(await project.must('consensus.open', { ...asked, threshold: 0.7 })).toMatchObject({ id: 'C2' })
    }))

  test('[PROT-3] all problems of a question are reported at once', () =>
    withProject(async (project) => {
      await openQuestion(project, 0)
      const nothing = await project.call('consensus.open', { id: 'T002' })
      expect(nothing.ok || nothing.problems).toMatchObject([{ path: 'question' }, { path: 'option' }])
      const mixed = await project.call('consensus.open', { id: 'T002', again: true, question: 'Other?' })
      expect(mixed.ok || mixed.problems).toMatchObject([{ path: 'id' }, { path: 'question' }])
      for (const threshold of [-0.1, 1, Number.NaN])
        expect(
          await project.call('consensus.open', { id: 'T002', question: 'x', option: ['a'], threshold }),
        ).toMatchObject({ exit: 6 })
      expect(
        await project.call('consensus.open', { id: 'T099', question: 'x', option: ['a'] }),
      ).toMatchObject({
        exit: 4,
      })
    }))
})
