import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

const lease = 15 * 60_000

onEveryStore((withProject) => {
  test('[SESS-2] focus belongs to an agent in a session, claims the task and makes it active', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await must('tasks.add', { title: 'two' })
      const ann = as('ann')
      const bob = as('bob')
      expect(await ann.must('focus.set', { id: 'T001' })).toMatchObject({
        task: { status: 'active' },
        claim: { owner: 'ann', epoch: 1 },
      })
      expect(await bob.call('focus.set', { id: 'T001' })).toMatchObject({ code: 'claim.held', exit: 35 })
      expect(await bob.must('focus.show', {})).toEqual({ agent: 'bob', task: null })
      await bob.must('focus.set', { id: 'T002' })
      expect((await ann.must('focus.show', {})).task?.id).toBe('T001')
      expect(await bob.call('focus.clear', { id: 'T001' })).toMatchObject({ exit: 35 })
      await ann.must('focus.clear', {})
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ status: 'pending' })
      expect(await bob.must('focus.set', { id: 'T001' })).toMatchObject({ released: 'T002' })
    }))

  test('[SESS-3] an expired claim stays with its owner until another agent claims the task; then the old owner is refused every change', () =>
    withProject(async ({ as, must, pass }) => {
      await must('tasks.add', { title: 'one' })
      const ann = as('ann')
      const bob = as('bob')
      await ann.must('focus.set', { id: 'T001' })
      await pass(lease * 2)
      await ann.must('focus.note', { text: 'still mine' })
      await pass(lease * 2)
      expect(await bob.must('focus.set', { id: 'T001' })).toMatchObject({ claim: { owner: 'bob', epoch: 2 } })
      const verbs = [
        () => ann.call('tasks.note', { id: 'T001', text: 'late' }),
        () => ann.call('focus.note', { text: 'late' }),
        () => ann.call('tasks.update', { id: 'T001', priority: 'low' }),
        () => ann.call('tasks.complete', { id: 'T001' }),
        () => ann.call('tasks.block', { id: 'T001', reason: 'late' }),
        () => ann.call('tasks.cancel', { id: 'T001', reason: 'late' }),
        () => ann.call('focus.clear', { id: 'T001' }),
      ]
      for (const verb of verbs) expect(await verb()).toMatchObject({ ok: false, exit: 35 })
      await bob.must('tasks.complete', { id: 'T001' })
      expect(await ann.call('tasks.reopen', { id: 'T001', reason: 'late' })).toMatchObject({ exit: 35 })
    }))

  test('[SESS-3] any command of the owner renews the lease once half of it is gone, and not before', () =>
    withProject(async ({ as, must, pass }) => {
      await must('tasks.add', { title: 'one' })
      const ann = as('ann')
      const expires = async () => (await must('tasks.show', { id: 'T001' })).claim!.expires
      await ann.must('focus.set', { id: 'T001' })
      await pass(lease / 2 - 1000)
      const first = await expires()
      await ann.must('tasks.list', {})
      expect(await expires()).toBe(first)
      await pass(2000)
      await ann.must('tasks.list', {})
      expect(Date.parse(await expires())).toBeGreaterThan(Date.parse(first))
    }))

  test('[SESS-2] a second focus set says since when the task is claimed, in any session', () =>
    withProject(async (project) => {
      const { must, as, pass } = project
      await must('tasks.add', { title: 'epic', type: 'epic', description: 'all of it' })
      await must('tasks.add', { title: 'one', description: 'a part', parent: 'T001' })
      await must('orchestrate.spawn', { id: 'T002', ref: true })
      const first = await as('T002.1').must('focus.set', { id: 'T002' })
      expect(first).not.toHaveProperty('since')
      const { since } = await as('T002.1').must('focus.show', {})
      await pass(60_000)
      const second = await as('T002.1').must('focus.set', { id: 'T002' })
      expect(second).toMatchObject({ noChange: true, since })
      const { id } = await must('session.start', { name: 'elsewhere' })
      expect(await as('T002.1', id).must('focus.set', { id: 'T002' })).toMatchObject({
        noChange: true,
        since,
      })
      expect(await as('T002.1').must('focus.show', {}), 'and stays so').toMatchObject({ since })
    }))

  test('[SESS-2] a session keeps its agents to its epic', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'inside', parent: 'T001' })
      await must('tasks.add', { title: 'outside', priority: 'critical' })
      const { id } = await must('session.start', { name: 'night', epic: 'T001' })
      const ann = as('ann', id)
      expect(await ann.call('focus.set', { id: 'T003' })).toMatchObject({ code: 'scope.outside', exit: 34 })
      expect((await ann.must('orchestrate.next', {})).task?.id).toBe('T002')
      await ann.must('focus.set', { id: 'T002' })
      expect((await as('ann').must('focus.show', {})).task).toBeNull()
    }))

  test('[SESS-3] a spawn claims only its own task, the tasks below it and those it added', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'own', parent: 'T001', description: 'Do it.' })
      await must('tasks.add', { title: 'other', parent: 'T001', description: 'Do it.' })
      await must('orchestrate.spawn', { id: 'T002', ref: true })
      const spawn = as('T002.1')
      expect(await spawn.call('focus.set', { id: 'T003' })).toMatchObject({ code: 'task.foreign', exit: 64 })
      expect(await must('tasks.show', { id: 'T003' })).toMatchObject({ status: 'pending' })
      await spawn.must('tasks.add', { title: 'part', parent: 'T002' })
      await spawn.must('focus.set', { id: 'T004' })
    }))

  test('focus refuses tasks that wait, have open children, are closed or do not exist', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'child', parent: 'T001' })
      await must('tasks.add', { title: 'waits', depends: ['T002'] })
      await must('tasks.add', { title: 'done' })
      await must('tasks.complete', { id: 'T004' })
      expect(await call('focus.set', { id: 'T001' })).toMatchObject({ code: 'children.open' })
      expect(await call('focus.set', { id: 'T003' })).toMatchObject({ code: 'dependency.open' })
      expect(await call('focus.set', { id: 'T004' })).toMatchObject({ code: 'task.status' })
      expect(await call('focus.set', { id: 'T009' })).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))

  test('setting focus again renews the claim and changes nothing else', () =>
    withProject(async ({ as, must }) => {
      await must('tasks.add', { title: 'one' })
      await as('ann').must('focus.set', { id: 'T001' })
      expect(await as('ann').must('focus.set', { id: 'T001' })).toMatchObject({
        claim: { epoch: 1 },
        noChange: true,
      })
    }))
})
