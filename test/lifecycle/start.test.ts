import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-4] an epic has a lifecycle only once one was started', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Compare hashing', parent: 'T001', stage: 'research' })
      expect(await must('lifecycle.show', { id: 'T001' })).toEqual({
        ...{ id: 'T001', started: false, stages: [], done: 0, open: [], missing: [] },
        then: 'cleo lifecycle start T001',
      })
      for (const refused of [
        await call('lifecycle.advance', { id: 'T001' }),
        await call('lifecycle.advance', { id: 'T001', to: 'testing', reason: 'x' }),
        await call('lifecycle.skip', { id: 'T001', reason: 'x' }),
      ])
        expect(refused).toMatchObject({ code: 'lifecycle.none', exit: 6, fix: 'cleo lifecycle start T001' })
      expect((await must('tasks.show', { id: 'T001' })).stage).toBeUndefined()
      expect(await must('lifecycle.start', { id: 'T001' })).toEqual({
        ...{ id: 'T001', stage: 'research', then: 'cleo lifecycle show T001' },
      })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ started: true, stage: 'research' })
      expect((await must('admin.log', { operation: 'lifecycle.start' })).entries).toMatchObject([
        { taskId: 'T001', after: { stage: 'research' } },
      ])
    }))

  test('[PROT-4] a lifecycle may begin at any stage, and is started once', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('lifecycle.start', { id: 'T001', at: 'implementation' })
      const { stage, stages } = await must('lifecycle.show', { id: 'T001' })
      expect({ stage, first: stages[0] }).toEqual({
        stage: 'implementation',
        first: { stage: 'research', state: 'skipped', reason: 'the epic began at implementation' },
      })
      for (const again of [{ id: 'T001' }, { id: 'T001', at: 'implementation' as const }])
        expect(await must('lifecycle.start', again)).toMatchObject({
          stage: 'implementation',
          noChange: true,
        })
      expect(await call('lifecycle.start', { id: 'T001', at: 'research' })).toMatchObject({
        code: 'lifecycle.started',
        exit: 6,
        alternatives: ['To move it: cleo lifecycle advance T001 --to research --reason "…"'],
      })
    }))

  test('[PROT-4] a task, an unknown id and a closed epic have no lifecycle to start', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      expect(await call('lifecycle.start', { id: 'T002' })).toMatchObject({ code: 'epic.expected' })
      expect(await call('lifecycle.start', { id: 'T009' })).toMatchObject({ code: 'task.not_found' })
      await must('tasks.complete', { id: 'T002' })
      expect(await call('lifecycle.start', { id: 'T001' })).toMatchObject({ code: 'task.status' })
    }))

  test('[PROT-4] without a lifecycle an epic closes with its last task, whatever the stages of its tasks', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Compare', parent: 'T001', stage: 'research' })
      await must('tasks.add', { title: 'Form', parent: 'T001', stage: 'implementation' })
      await must('tasks.complete', { id: 'T002' })
      await must('lifecycle.show', { id: 'T001' })
      expect(await must('tasks.complete', { id: 'T003' })).toMatchObject({ completed: ['T001'] })
    }))

  test('[PROT-4] a wrong advance can be taken back, and finished code can be taken forward', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001', stage: 'implementation' })
      await must('lifecycle.start', { id: 'T001' })
      await must('lifecycle.advance', { id: 'T001', reason: 'known' })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ stage: 'consensus' })
      expect(
        await must('lifecycle.advance', { id: 'T001', to: 'research', reason: 'by mistake' }),
      ).toMatchObject({ stage: 'research', move: 'back' })
      const on = { id: 'T001', to: 'implementation' as const, reason: 'nothing to compare' }
      expect(await must('lifecycle.advance', on)).toMatchObject({ stage: 'implementation', move: 'advance' })
      await must('tasks.complete', { id: 'T002' })
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ status: 'pending' })
      const last = { id: 'T001', to: 'release' as const, reason: 'checked by hand' }
      expect(await must('lifecycle.advance', last)).toMatchObject({
        stage: 'release',
        skipped: ['validation', 'testing'],
      })
      expect(await must('lifecycle.skip', { id: 'T001', reason: 'not shipped' })).toMatchObject({
        over: true,
        then: 'cleo complete T001',
      })
      expect(await must('tasks.complete', { id: 'T001' })).toMatchObject({ status: 'done' })
    }))
})
