import { expect, test } from 'vitest'
import { criterion, refused, withWork } from '../support/evidence.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[GATE-6] a criterion is met with evidence, unmet with a reason, or waived by a person', () =>
    withWork(withProject, async ({ as }, project) => {
      expect(await criterion(as, 1, 'files:src/form.ts;note:line 1')).toMatchObject({
        value: { state: 'passed', text: 'checks addresses' },
      })
      expect(
        await as.call('verify.criterion', {
          id: 'T002',
          criterion: 2,
          unmet: true,
          reason: 'no library yet',
        }),
      ).toMatchObject({ value: { state: 'failed' } })
      const states = async () =>
        (await as.must('tasks.show', { id: 'T002' })).acceptance!.map(({ state }) => state)
      expect(await states()).toEqual(['met', 'unmet'])
      const waiver = { id: 'T002', criterion: 2, reason: 'covered by T009' }
      expect(await as.call('verify.waive', waiver)).toMatchObject({
        ok: false,
        code: 'person.needed',
        exit: 64,
      })
      await project.must('verify.waive', waiver)
      expect(await states()).toEqual(['met', 'waived'])
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([
        { state: 'met' },
        { state: 'waived' },
      ])
    }))

  test('[GATE-6] a criterion whose text changes is open again; one that moves keeps its evidence', () =>
    withWork(withProject, async ({ as }, project) => {
      await criterion(as, 2, 'files:src/form.ts')
      await project.must('tasks.update', { id: 'T002', removeAcceptance: ['checks addresses'] })
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([
        { n: 1, text: 'stores a hash', state: 'met' },
      ])
      await project.must('tasks.update', { id: 'T002', acceptance: ['stores a slow hash'] })
      expect((await as.must('verify.view', { id: 'T002' })).criteria).toMatchObject([{ n: 1, state: 'open' }])
    }))
})

test('[GATE-6] refuses unknown criteria, and both or neither of evidence and --unmet', () =>
  withWork(withProject, async ({ as }) => {
    expect(await criterion(as, 9, 'files:src/a.ts')).toMatchObject({ code: 'criterion.not_found', exit: 4 })
    const call = (more: object) => as.call('verify.criterion', { id: 'T002', criterion: 1, ...more })
    expect(await call({})).toMatchObject({ code: 'input.invalid' })
    expect(await call({ unmet: true })).toMatchObject({ code: 'input.invalid' })
    expect(await call({ unmet: true, reason: 'x', evidence: 'files:a' })).toMatchObject({
      code: 'input.invalid',
    })
    expect(await call({ reason: 'x', evidence: 'files:a' })).toMatchObject({ code: 'input.invalid' })
    expect(await criterion(as, 1, 'note:trust me')).toMatchObject(
      refused('files:, commit: or tool: proves it'),
    )
  }))
