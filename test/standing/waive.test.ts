import { expect, test } from 'vitest'
import { gateOf, withWork } from '../support/evidence.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[GATE-5] a person can waive any gate', () =>
    withWork(withProject, async ({ as }, project) => {
      const waive = (name: string) => project.call('verify.waive', { id: 'T002', gate: name, reason: 'late' })
      expect(await waive('implemented')).toMatchObject({ ok: true })
      expect(await waive('testsPassed')).toMatchObject({ ok: true })
      expect(await waive('qaPassed')).toMatchObject({ ok: true })
      expect(await gateOf(as, 'qaPassed')).toMatchObject({ state: 'waived', why: 'by ada: late' })
      expect((await as.must('tasks.show', { id: 'T002' })).gates!['qaPassed']).toEqual({
        state: 'na',
        evidence: ['waived by ada: late'],
      })
    }))

  test('[GATE-5] an agent cannot waive; the request is left for a person', () =>
    withWork(withProject, async ({ as }) => {
      expect(
        await as.call('verify.waive', { id: 'T002', gate: 'qaPassed', reason: 'no time' }),
      ).toMatchObject({ code: 'person.needed', exit: 64 })
      expect(await gateOf(as, 'qaPassed')).toMatchObject({ state: 'unset' })
    }))

  test('[GATE-5] a waiver also counts for the next attempt', () =>
    withWork(withProject, async (_, project) => {
      await project.must('verify.waive', { id: 'T002', gate: 'qaPassed', reason: 'no linter' })
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      await project.must('orchestrate.spawn', { id: 'T002', ref: true })
      expect(await gateOf(project, 'qaPassed')).toMatchObject({ state: 'waived' })
    }))
})

test('[GATE-5] refuses unknown gates, criteria and tasks, and both or neither of gate and criterion', () =>
  withWork(withProject, async (_, project) => {
    expect(await project.call('verify.waive', { id: 'T002', reason: 'x' })).toMatchObject({
      code: 'input.invalid',
    })
    expect(
      await project.call('verify.waive', { id: 'T002', gate: 'qaPassed', criterion: 1, reason: 'x' }),
    ).toMatchObject({ code: 'input.invalid' })
    const waive = (input: object) => project.call('verify.waive', { id: 'T002', reason: 'x', ...input })
    expect(await waive({ gate: 'qaPasse' })).toMatchObject({ code: 'gate.unknown' })
    expect(await waive({ criterion: 9 })).toMatchObject({ code: 'criterion.not_found' })
    expect(await waive({ id: 'T099', criterion: 1 })).toMatchObject({ code: 'task.not_found' })
    expect(await waive({ criterion: 1, reason: ' ' })).toMatchObject({ code: 'input.invalid' })
  }))
