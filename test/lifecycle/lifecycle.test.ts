import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stageOrder } from '../../src/lifecycle/progress.ts'
import { executable, run } from '../support/cleo.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

/** An epic with one task of the stage, and one of implementation. */
const epic = async ({ must }: TestProject, stage?: 'testing' | 'release'): Promise<void> => {
  await must('tasks.add', { title: 'Accounts', type: 'epic', ...(stage && { stage }) })
  await must('tasks.add', { title: 'Compare hashing', parent: 'T001', stage: 'research' })
  await must('tasks.add', { title: 'Sign-up form', parent: 'T001' })
}

const stagesOf = async ({ must }: TestProject) =>
  Object.fromEntries((await must('lifecycle.show', { id: 'T001' })).stages.map((s) => [s.stage, s.state]))

onEveryStore((withProject) => {
  test('[PROT-2] an epic starts at research and advances once its tasks are done', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project)
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({
        stage: 'research',
        staged: false,
        done: 0,
        open: [{ id: 'T002', title: 'Compare hashing', status: 'pending' }],
        missing: ['1 open task at research'],
        then: 'cleo orchestrate next --epic T001',
      })
      expect(await call('lifecycle.advance', { id: 'T001' })).toMatchObject({
        code: 'stage.open',
        exit: 80,
        message: 'T001 cannot leave research: T002 is open.',
      })
      await must('tasks.complete', { id: 'T002' })
      expect(await must('lifecycle.advance', { id: 'T001' })).toEqual({
        id: 'T001',
        stage: 'consensus',
        move: 'advance',
      })
      expect((await must('tasks.show', { id: 'T001' })).stage).toBe('consensus')
      const { entries } = await must('admin.log', { operation: 'lifecycle.advance' })
      expect(entries).toMatchObject([{ task: 'T001', after: { stage: 'consensus', move: 'advance' } }])
    }))

  test('[PROT-2] consensus, architecture decision and release may be skipped with a reason, nothing else', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project)
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

  test('[PROT-2] what may be skipped can be passed over in one move, what is needed cannot', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project)
      const bare = await call('lifecycle.advance', { id: 'T001', to: 'implementation' })
      expect(bare).toMatchObject({ code: 'stage.open', exit: 80 })
      expect(bare.ok || bare.problems?.map(({ code }) => code)).toEqual([
        'stage.open',
        'stage.needs',
        undefined,
      ])
      await must('tasks.complete', { id: 'T002' })
      const far = { id: 'T001', to: 'implementation' as const, reason: 'in a hurry' }
      expect(await call('lifecycle.advance', far)).toMatchObject({ code: 'stage.needs', exit: 80 })
      expect(await must('lifecycle.advance', { ...far, to: 'specification' })).toEqual({
        id: 'T001',
        stage: 'specification',
        move: 'advance',
        skipped: ['consensus', 'architecture-decision'],
      })
    }))

  test('[PROT-2] a stage in which nothing was done is left with a reason only', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
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
      expect((await stagesOf(project))['consensus']).toBe('skipped')
    }))

  test('[PROT-2] a cancelled task holds nothing up, and proves nothing', () =>
    withProject(async (project) => {
      await epic(project)
      await project.must('tasks.cancel', { id: 'T002', reason: 'known' })
      expect(await project.call('lifecycle.advance', { id: 'T001' })).toMatchObject({ code: 'stage.empty' })
    }))

  test('[PROT-2] a task belongs to the stage it was given, else to that of its protocol', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Investigate hashing', parent: 'T001', description: 'Which?' })
      await must('tasks.add', { title: 'Forms', parent: 'T001', description: 'All of them' })
      await must('tasks.add', { title: 'Compare', parent: 'T001', stage: 'validation' })
      await must('tasks.add', { title: 'Fields', parent: 'T003' })
      await must('tasks.add', { title: 'Look around', parent: 'T001', description: 'x' })
      await must('orchestrate.spawn', { id: 'T006', protocol: 'research' })
      const at = async (stage?: 'implementation' | 'validation') => {
        if (stage) await must('tasks.update', { id: 'T001', stage })
        return (await must('lifecycle.show', { id: 'T001' })).open.map(({ id }) => id)
      }
      expect(await at()).toEqual(['T002', 'T006'])
      // Of T003 the part that is open counts, not the whole.
      expect(await at('implementation')).toEqual(['T005'])
      expect(await at('validation')).toEqual(['T004'])
    }))

  test('[PROT-2] going back takes a reason and is recorded', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project, 'testing')
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

  test('[PROT-2] testing goes back five times, then a person is asked, once', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project, 'testing')
      const back = { id: 'T001', to: 'implementation' as const, reason: 'red' }
      for (let n = 0; n < 5; n++) {
        await must('lifecycle.advance', back)
        await must('tasks.update', { id: 'T001', stage: 'testing' })
      }
      for (let n = 0; n < 2; n++)
        expect(await call('lifecycle.advance', back)).toMatchObject({
          code: 'stage.loops',
          exit: 64,
          message: 'T001 went back from testing 5 times; only a person may allow another round (Q1).',
        })
      expect((await must('lifecycle.show', { id: 'T001' })).stage).toBe('testing')
    }))

  test('[PROT-2] past its last stage an epic ends with its parts, as one without stages does', () =>
    withProject(async (project) => {
      const { must, call } = project
      await epic(project)
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

  test('[PROT-2] a reason of any kind is kept as it was given', () =>
    withProject(async ({ must }) => {
      const reason = '\u001b[31m"; DROP TABLE tasks; --\u202e\0{{TASK_ID}}'
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'consensus' })
      await must('lifecycle.skip', { id: 'T001', reason })
      expect((await must('lifecycle.show', { id: 'T001' })).stages[1]).toMatchObject({ reason })
    }))

  test('[PROT-2] a dry run moves nothing and asks nobody', () =>
    withProject(async (project) => {
      await epic(project, 'testing')
      const { call, must } = project
      const back = { id: 'T001', to: 'implementation' as const, reason: 'red' }
      expect(await call('lifecycle.advance', back, { dryRun: true })).toMatchObject({ ok: true })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ stage: 'testing' })
    }))
})

describe('[PROT-2] no stages', () => {
  test('for what is no epic and what is not there', () =>
    withProject(async (project) => {
      await epic(project)
      expect(await project.call('lifecycle.show', { id: 'T002' })).toMatchObject({
        code: 'epic.expected',
        fix: 'cleo lifecycle show T001',
      })
      expect(await project.call('lifecycle.show', { id: 'T099' })).toMatchObject({ exit: 4 })
    }))

  test('a project may switch them off', () =>
    withProject(async (project) => {
      await epic(project)
      writeFileSync(join(project.root, '.cleo', 'config.json'), '{"stages": false}')
      for (const words of [['show'], ['advance'], ['skip', '--reason', 'x']]) {
        const { exit, stdout } = run(executable, ['lifecycle', words[0]!, 'T001', ...words.slice(1)], {
          cwd: project.root,
        })
        expect({ exit, code: JSON.parse(stdout).error.code }).toEqual({ exit: 6, code: 'stages.off' })
      }
    }))
})

describe('[PROT-2] an open task', () => {
  const waiting = ['pending', 'active', 'blocked'] as const

  test('holds its epic at any stage, whatever it waits for', () =>
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
