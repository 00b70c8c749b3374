import { describe, expect, test } from 'vitest'
import { stageOrder } from '../../src/lifecycle/progress.ts'
import { addEpic } from '../support/lifecycle-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-2] an epic starts at research and advances once its tasks are done', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project)
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({
        stage: 'research',
        started: true,
        done: 0,
        open: [{ id: 'T002', title: 'Compare hashing', status: 'pending' }],
        missing: ['1 open task at research'],
        then: 'cleo next T001',
      })
      expect(await call('lifecycle.advance', { id: 'T001' })).toMatchObject({
        code: 'stage.open',
        exit: 80,
        message: 'T001 cannot leave the research stage: T002 is open.',
      })
      await must('tasks.complete', { id: 'T002' })
      expect(await must('lifecycle.advance', { id: 'T001' })).toEqual({
        id: 'T001',
        stage: 'consensus',
        move: 'advance',
      })
      expect((await must('tasks.show', { id: 'T001' })).stage).toBe('consensus')
      const { entries } = await must('admin.log', { operation: 'lifecycle.advance' })
      expect(entries).toMatchObject([{ taskId: 'T001', after: { stage: 'consensus', move: 'advance' } }])
    }))

  test('[PROT-4] one move passes any stages with a reason, and only skippable ones without', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project)
      const bare = await call('lifecycle.advance', { id: 'T001', to: 'implementation' })
      expect(bare).toMatchObject({ code: 'stage.open', exit: 80 })
      expect(bare.ok || bare.problems?.map(({ code }) => code)).toEqual(['stage.open', 'stage.needs'])
      await must('tasks.complete', { id: 'T002' })
      expect(await call('lifecycle.advance', { id: 'T001', to: 'implementation' })).toMatchObject({
        code: 'stage.needs',
        exit: 80,
        fix: 'cleo lifecycle advance T001 --to implementation --reason "where this was done"',
      })
      expect(await call('lifecycle.advance', { id: 'T001', to: 'specification' })).toMatchObject({
        code: 'input.invalid',
        fix: 'cleo lifecycle advance T001 --to specification --reason "…"',
      })
      await must('tasks.add', { title: 'Specify', parent: 'T001', stage: 'specification' })
      const far = { id: 'T001', to: 'implementation' as const, reason: 'the code is there' }
      const skipped = ['consensus', 'architecture-decision', 'specification', 'decomposition']
      expect(await call('lifecycle.advance', far)).toMatchObject({
        value: { id: 'T001', stage: 'implementation', move: 'advance', skipped },
        warnings: ['still open at specification: T004'],
      })
      const { stages } = await must('lifecycle.show', { id: 'T001' })
      expect(stages[4]).toEqual({
        ...{ stage: 'decomposition', state: 'skipped', reason: 'the code is there' },
      })
    }))

  test('[PROT-2] a stage without any work done is left only with a reason', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('lifecycle.start', { id: 'T001' })
      const refused = await call('lifecycle.advance', { id: 'T001' })
      expect(refused).toMatchObject({ code: 'stage.empty', exit: 80 })
      await must('lifecycle.advance', { id: 'T001', reason: 'see the wiki' })
      expect((await must('lifecycle.show', { id: 'T001' })).stages[0]).toEqual({
        stage: 'research',
        state: 'done',
        reason: 'see the wiki',
      })
      expect(await call('lifecycle.advance', { id: 'T001' })).toMatchObject({
        fix: 'cleo lifecycle skip T001 --reason "why it is not needed"',
      })
      await must('lifecycle.advance', { id: 'T001', reason: 'no choice' })
      const { stages } = await must('lifecycle.show', { id: 'T001' })
      expect(stages[1]).toMatchObject({ stage: 'consensus', state: 'skipped' })
    }))

  test('[PROT-2] a cancelled task neither blocks the stage nor counts as done', () =>
    withProject(async (project) => {
      await addEpic(project)
      await project.must('tasks.cancel', { id: 'T002', reason: 'known' })
      expect(await project.call('lifecycle.advance', { id: 'T001' })).toMatchObject({ code: 'stage.empty' })
    }))

  test('[PROT-2] going back needs a reason and is recorded', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project, 'testing')
      expect(await call('lifecycle.advance', { id: 'T001', to: 'implementation' })).toMatchObject({
        code: 'input.invalid',
        exit: 6,
      })
      await must('lifecycle.advance', { id: 'T001', to: 'implementation', reason: 'red on empty input' })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({
        stage: 'implementation',
        loops: 1,
      })
      expect((await must('admin.log', { task: 'T001', limit: 1 })).entries).toMatchObject([
        { after: { move: 'back', stage: 'implementation', reason: 'red on empty input' } },
      ])
    }))

  test('[PROT-2] after going back from testing five times, a person is asked once', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project, 'testing')
      const back = { id: 'T001', to: 'implementation' as const, reason: 'red' }
      for (let n = 0; n < 5; n++) {
        await must('lifecycle.advance', back)
        await must('tasks.update', { id: 'T001', stage: 'testing' })
      }
      for (let n = 0; n < 2; n++)
        expect(await call('lifecycle.advance', back)).toMatchObject({
          code: 'stage.loops',
          exit: 64,
          message:
            'T001 has gone back from the testing stage 5 times. Only a person may send it back again (question Q1 in the inbox).',
        })
      expect((await must('lifecycle.show', { id: 'T001' })).stage).toBe('testing')
    }))

  test('[PROT-2] past its last stage an epic can be completed, as one without stages', () =>
    withProject(async (project) => {
      const { must, call } = project
      await addEpic(project)
      await must('tasks.update', { id: 'T001', stage: 'validation' })
      await must('tasks.complete', { id: 'T002' })
      await must('tasks.complete', { id: 'T003' })
      expect((await must('tasks.show', { id: 'T001' })).status).toBe('pending')
      await must('lifecycle.advance', { id: 'T001', reason: 'read by eye' })
      await must('lifecycle.advance', { id: 'T001', reason: 'tried by hand' })
      expect(await must('lifecycle.skip', { id: 'T001', reason: 'not shipped' })).toEqual({
        id: 'T001',
        skipped: 'release',
        stage: 'release',
        over: true,
        then: 'cleo complete T001',
      })
      expect(await must('lifecycle.advance', { id: 'T001' })).toMatchObject({ over: true, noChange: true })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ over: true, missing: [] })
      await must('tasks.complete', { id: 'T001' })
      expect(await call('lifecycle.advance', { id: 'T001' })).toMatchObject({ code: 'task.status' })
    }))

  test('[PROT-2] a dry run moves nothing and asks no question', () =>
    withProject(async (project) => {
      await addEpic(project, 'testing')
      const { call, must } = project
      const back = { id: 'T001', to: 'implementation' as const, reason: 'red' }
      expect(await call('lifecycle.advance', back, { dryRun: true })).toMatchObject({ ok: true })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ stage: 'testing' })
    }))
})

describe('[PROT-2] an open task', () => {
  const waiting = ['pending', 'active', 'blocked'] as const

  test('keeps its epic at any stage, whatever its status', () =>
    withProject(async ({ must, call, as }) => {
      for (const [n, stage] of stageOrder.entries()) {
        const epic = `T${String(2 * n + 1).padStart(3, '0')}`
        const task = `T${String(2 * n + 2).padStart(3, '0')}`
        await must('tasks.add', { title: 'Accounts', type: 'epic', stage })
        await must('tasks.add', { title: 'Part', parent: epic, stage })
        const status = waiting[n % waiting.length]
        if (status === 'active') await as('bob').must('focus.set', { id: task })
        if (status === 'blocked') await must('tasks.block', { id: task, reason: 'no access' })
        const refused = await call('lifecycle.advance', { id: epic, reason: 'in a hurry' })
        expect(refused.ok ? 'advanced past an open task' : refused.exit).toBe(80)
        expect((await must('tasks.show', { id: epic })).stage).toBe(stage)
      }
    }))
})
