import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, repository, send } from '../support/subagent.ts'
import { addTasks, inRepository, place } from '../support/worktrees.ts'

const statusOf = async (project: TestProject, id: string) => (await project.must('tasks.show', { id })).status

onEveryStore((withProject) => {
  test('[TASK-9] cancelling releases dependents, keeps the reason and can be repeated', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      await project.must('tasks.add', { title: 'Mails', depends: ['T001'] })
      expect(await project.must('tasks.cancel', { id: 'T001', reason: 'covered by T003' })).toEqual({
        id: 'T001',
        status: 'cancelled',
        unblocked: ['T002'],
        cancelled: ['T001'],
      })
      expect(JSON.stringify(await project.must('admin.log', { operation: 'tasks.cancel' }))).toContain(
        'covered by T003',
      )
      expect(await project.must('tasks.cancel', { id: 'T001', reason: 'again' })).toMatchObject({
        noChange: true,
        cancelled: [],
      })
    }))

  test('[TASK-9] open children are cancelled only on request', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Form', parent: 'T001' })
      await project.must('tasks.add', { title: 'Field', parent: 'T002' })
      expect(await project.call('tasks.cancel', { id: 'T001', reason: 'no' })).toMatchObject({
        code: 'children.open',
        exit: 16,
      })
      const cancelled = await project.must('tasks.cancel', { id: 'T001', reason: 'no', withChildren: true })
      expect(cancelled).toMatchObject({ cancelled: ['T001', 'T002', 'T003'], unblocked: [] })
      expect(await statusOf(project, 'T003')).toBe('cancelled')
    }))

  test('[TASK-9] cancelling a task that an agent has says where the work of the agent stays', () =>
    inRepository(withProject, async (project) => {
      const [id = ''] = await addTasks(project, 'Form')
      await project.must('tasks.add', { title: 'Mails', depends: [id] })
      const { id: spawnId, folder, branch } = await place(project, id)
      expect(await project.must('tasks.cancel', { id, reason: 'no' })).toMatchObject({
        out: [{ spawnId, folder, branch }],
        unblocked: ['T003'],
      })
      expect(await project.must('worktree.list', {})).toMatchObject({ worktrees: [{ folder }] })
    }))

  test('[OUT-2] the reason that a printed line leaves to write is not a reason', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      for (const verb of ['cancel', 'block'] as const)
        expect(await project.call(`tasks.${verb}`, { id: 'T001', reason: '…' })).toMatchObject({
          code: 'input.invalid',
          message: 'reason is still the placeholder; write the reason instead',
        })
    }))

  test('[TASK-9] done and unknown tasks and blank reasons are refused', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      await project.must('tasks.complete', { id: 'T001' })
      const cancel = (id: string, reason: string) => project.call('tasks.cancel', { id, reason })
      expect(await cancel('T001', 'no')).toMatchObject({ code: 'task.status' })
      expect(await cancel('T009', 'no')).toMatchObject({ code: 'task.not_found' })
      expect(await cancel('T001', ' ')).toMatchObject({ code: 'input.invalid' })
      expect(await statusOf(project, 'T001')).toBe('done')
    }))

  test('[TASK-9] cancelling the last open child completes the parent if a child was done', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Form', parent: 'T001' })
      await project.must('tasks.add', { title: 'Mails', parent: 'T001' })
      await project.must('tasks.complete', { id: 'T002' })
      expect(await project.must('tasks.cancel', { id: 'T003', reason: 'no' })).toMatchObject({
        completed: ['T001'],
      })
    }))

  test('[TASK-9] cancelling the only child leaves its parent open', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Form', parent: 'T001' })
      const cancelled = await project.must('tasks.cancel', { id: 'T002', reason: 'no' })
      expect(cancelled.completed).toBeUndefined()
      expect(await statusOf(project, 'T001')).toBe('pending')
    }))

  test('an agent cannot cancel a task that another agent works on; a person can', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      await project.as('ann').must('focus.set', { id: 'T001' })
      const cancel = (agent: boolean) =>
        project.call('tasks.cancel', { id: 'T001', reason: 'no' }, { actor: { id: 'bob', agent } })
      expect(await cancel(true)).toMatchObject({ code: 'claim.held', exit: 35 })
      expect(await cancel(false)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] cancelling the last child does not complete a parent whose contract is unmet', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      await project.must('tasks.complete', { id: 'T002' })
      await project.must('tasks.reopen', { id: 'T001', reason: 'more' })
      await send(project, 'T001')
      await project.must('tasks.add', { title: 'Mails', parent: 'T001' })
      expect(await project.call('tasks.cancel', { id: 'T003', reason: 'no' })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('T001 stays open')],
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
    }))
})
