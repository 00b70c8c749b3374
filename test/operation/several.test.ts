import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'

/** Adds an epic T001 with the tasks T002 to T005. T003 depends on T002. */
const plant = async ({ must }: TestProject): Promise<void> => {
  await must('tasks.add', {
    batch: [
      { key: 'epic', title: 'Accounts', type: 'epic' },
      { key: 'a', title: 'Form', parent: 'epic' },
      { key: 'b', title: 'Mail', parent: 'epic', depends: ['a'] },
      { key: 'c', title: 'Page', parent: 'epic' },
      { key: 'd', title: 'Text', parent: 'epic' },
    ],
  })
}

const statusOf = async ({ must }: TestProject, id: string) => (await must('tasks.show', { id })).status

onEveryStore((withProject) => {
  test('[OPS-1] one task gets the answer it always had, several get a list of these', () =>
    withProject(async (project) => {
      await plant(project)
      expect(await project.must('tasks.complete', { id: 'T004' })).toEqual({
        id: 'T004',
        status: 'done',
        unblocked: [],
      })
      expect(await project.call('tasks.complete', { id: 'T002', more: ['t5', 'T002'] })).toMatchObject({
        value: {
          tasks: [
            { id: 'T002', status: 'done', unblocked: ['T003'] },
            { id: 'T005', status: 'done', unblocked: [] },
          ],
        },
      })
    }))

  test('[OPS-1] if one task is refused, nothing is done, and each reason is listed', () =>
    withProject(async (project) => {
      await plant(project)
      const refused = await project.call('tasks.complete', { id: 'T004', more: ['T003', 'T099', 'T005'] })
      expect(refused).toMatchObject({
        code: 'dependency.open',
        exit: 5,
        message: 'Nothing was done: 2 of 4 tasks were refused.',
        problems: [
          { path: 'T003', code: 'dependency.open', fix: 'cleo deps T003' },
          { path: 'T099', code: 'task.not_found' },
        ],
      })
      expect(await statusOf(project, 'T004')).toBe('pending')
      expect(await statusOf(project, 'T005')).toBe('pending')
      const { entries } = await project.must('admin.log', { task: 'T004' })
      expect(entries.map(({ operation }) => operation)).toEqual(['tasks.add'])
    }))

  test('[OPS-1] a task that waits for another one of the command comes after it, whatever the order', () =>
    withProject(async (project) => {
      await plant(project)
      const all = await project.call('tasks.complete', { id: 'T001', more: ['T003', 'T002', 'T004', 'T005'] })
      expect(all).toMatchObject({ value: { tasks: { length: 5 } } })
      if (!all.ok) throw new Error(all.message)
      expect(all.value).toMatchObject({
        tasks: [{ id: 'T001' }, { id: 'T003', completed: ['T001'] }, { id: 'T002', unblocked: [] }, {}, {}],
      })
      expect(all.value).not.toHaveProperty('tasks.0.noChange')
      for (const id of ['T001', 'T002', 'T003', 'T004', 'T005'])
        expect(await statusOf(project, id)).toBe('done')
      // T003 was closed together with its parent T001. One command can reopen both.
      const opened = await project.call('tasks.reopen', { id: 'T003', more: ['T001'], reason: 'not done' })
      expect(opened).toMatchObject({
        value: { tasks: [{ reopened: ['T003', 'T001'] }, { reopened: ['T001'] }] },
      })
    }))

  test('[OPS-1] a dry run of several tasks changes none of them, and undo takes all of them back', () =>
    withProject(async (project) => {
      await plant(project)
      const input = { id: 'T004', more: ['T005'], reason: 'covered' }
      expect(await project.call('tasks.cancel', input, { dryRun: true })).toMatchObject({
        value: { tasks: [{ id: 'T004', status: 'cancelled' }, { id: 'T005' }] },
      })
      expect(await statusOf(project, 'T004')).toBe('pending')
      await project.must('tasks.cancel', input)
      expect(await statusOf(project, 'T005')).toBe('cancelled')
      expect((await project.must('tasks.undo', {})).tasks.map(({ id }) => id)).toEqual(['T004', 'T005'])
      expect(await statusOf(project, 'T004')).toBe('pending')
    }))

  test('[OPS-1] block, unblock, update, exists and show take several tasks', () =>
    withProject(async (project) => {
      await plant(project)
      const { call } = project
      expect(await call('tasks.block', { id: 'T004', more: ['T005'], reason: 'no access' })).toMatchObject({
        value: {
          tasks: [
            { id: 'T004', status: 'blocked' },
            { id: 'T005', reason: 'no access' },
          ],
        },
      })
      expect(await call('tasks.unblock', { id: 'T004', more: ['T005'] })).toMatchObject({
        value: { tasks: [{ status: 'pending' }, { status: 'pending' }] },
      })
      expect(await call('tasks.update', { id: 'T004', more: ['T005'], priority: 'high' })).toMatchObject({
        value: {
          tasks: [
            { id: 'T004', changed: ['priority'] },
            { id: 'T005', changed: ['priority'] },
          ],
        },
      })
      expect(await call('tasks.exists', { id: 'T004', more: ['T005'] })).toMatchObject({ ok: true })
      expect(await call('tasks.exists', { id: 'T004', more: ['T099'] })).toMatchObject({
        exit: 4,
        message: 'There is no task T099. Nothing was done for the other task either.',
        fix: 'cleo list',
      })
      expect(await call('tasks.show', { id: 'T004', more: ['T005'] })).toMatchObject({
        value: { tasks: [{ title: 'Page' }, { title: 'Text' }] },
      })
      const many = Array.from({ length: 100 }, (_, i) => `T${i + 1}`)
      expect(await call('tasks.show', { id: 'T004', more: many })).toMatchObject({
        problems: [{ path: 'more', message: 'is limited to 99 more tasks' }],
      })
    }))

  test('[SESS-3] tasks that an agent may not change are listed, and its own stay as they are', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.update', { id: 'T004', description: 'The page of an account.' })
      await project.must('orchestrate.spawn', { id: 'T004' })
      const agent = project.as('T004.1')
      await agent.must('focus.set', { id: 'T004' })
      expect(
        await agent.call('tasks.block', { id: 'T004', more: ['T002', 'T005'], reason: 'x' }),
      ).toMatchObject({
        code: 'task.foreign',
        problems: [{ path: 'T002' }, { path: 'T005' }],
      })
      expect(await statusOf(project, 'T004')).toBe('active')
    }))
})
