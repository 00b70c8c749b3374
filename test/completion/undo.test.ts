import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { recount } from '../support/recount.ts'

onEveryStore((withProject, store) => {
  const wrongCounts = (root: string) => (store === 'sqlite' ? recount(`${root}/.cleo/cleo.db`) : [])

  test('[TASK-8] every undoable command leaves the task as it was, with one more command in the log', () =>
    withProject(async ({ must, root }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'other', type: 'epic' })
      await must('tasks.add', { title: 'first', parent: 'T001' })
      await must('tasks.add', {
        title: 'second',
        parent: 'T001',
        depends: ['T003'],
        description: 'Text.\n- [ ] in the text',
        acceptance: ['given'],
        labels: ['a'],
        files: ['src/a.ts'],
        stage: 'research',
        completes: 'manual',
      })
      const { updatedAt: _, ...before } = await must('tasks.show', { id: 'T004' })
      const unchanged = async () => {
        await must('tasks.undo', {})
        const { updatedAt: _, ...after } = await must('tasks.show', { id: 'T004' })
        expect(after).toEqual(before)
        expect(wrongCounts(root)).toEqual([])
      }
      await must('tasks.update', {
        id: 'T004',
        title: 'changed',
        description: '- [ ] another',
        acceptance: [],
        labels: [],
        files: ['b', 'c'],
        depends: [],
        parent: 'T002',
        priority: 'critical',
        size: 'large',
        stage: 'testing',
        completes: 'auto',
      })
      await unchanged()
      await must('tasks.update', { id: 'T004', parent: 'none', type: 'epic' })
      await unchanged()
      await must('tasks.note', { id: 'T004', text: 'a note' })
      await unchanged()
      await must('tasks.block', { id: 'T004', reason: 'no access' })
      await unchanged()
      await must('tasks.cancel', { id: 'T004', reason: 'not now' })
      await unchanged()
      await must('tasks.cancel', { id: 'T001', reason: 'not now', withChildren: true })
      await unchanged()
    }))

  test('[TASK-8] undo of complete and of reopen restores the parents that went with them', () =>
    withProject(async ({ must, root }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'task', parent: 'T001' })
      await must('tasks.add', { title: 'subtask', parent: 'T002' })
      const statuses = async () => {
        const found: string[] = []
        for (const id of ['T001', 'T002', 'T003']) found.push((await must('tasks.show', { id })).status)
        expect(wrongCounts(root)).toEqual([])
        return found
      }
      await must('tasks.complete', { id: 'T003' })
      expect(await statuses()).toEqual(['done', 'done', 'done'])
      await must('tasks.undo', {})
      expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
      await must('tasks.complete', { id: 'T003' })
      await must('tasks.reopen', { id: 'T003', reason: 'fails' })
      expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
      await must('tasks.undo', {})
      expect(await statuses()).toEqual(['done', 'done', 'done'])
      expect(await must('tasks.show', { id: 'T003' })).not.toHaveProperty('notes')
    }))

  test('[TASK-8] a large batch is one command, apart from another of the same actor at the same time', () =>
    withProject(async ({ must, call, clock, root }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      const batch = Array.from({ length: 1200 }, (_, i) => ({ title: `task ${i}`, parent: 'T001' }))
      await must('tasks.add', { batch })
      clock.now = Date.UTC(2026, 5, 1)
      await must('tasks.add', { title: 'one', parent: 'T001' })
      clock.now = Date.UTC(2026, 5, 1)
      await must('tasks.add', { title: 'two', parent: 'T001' })
      expect(await must('tasks.undo', {})).toMatchObject({ tasks: [{ id: 'T1203', change: 'cancelled' }] })
      expect(await must('tasks.show', { id: 'T1202' })).toMatchObject({ status: 'pending' })
      await must('tasks.add', { batch })
      const { tasks } = await must('tasks.undo', {})
      expect(tasks).toHaveLength(1200)
      expect(wrongCounts(root)).toEqual([])
      expect(await call('tasks.undo', {})).toMatchObject({ code: 'undo.undone', exit: 6 })
    }))

  test('[TASK-8] of two that undo at once, one succeeds and the other is told so', () =>
    withProject(async (project) => {
      const { must, call, afresh } = project
      await must('tasks.add', { title: 'epic', type: 'epic' })
      const answers = await Promise.all([call('tasks.undo', {}), afresh().call('tasks.undo', {})])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(answers.find(({ ok }) => !ok)).toMatchObject({ code: 'undo.undone' })
    }))

  test('[TASK-8] what later work relies on is not undone, and every reason is named', () =>
    withProject(async ({ must, call, as }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', { title: 'first', parent: 'T001', description: 'x' })
      await as('bo').must('tasks.add', { title: 'waits', parent: 'T001', depends: ['T002'] })
      await as('bo').must('tasks.add', { title: 'below', parent: 'T002' })
      expect(await call('tasks.undo', {})).toMatchObject({
        code: 'undo.later',
        exit: 6,
        problems: [{ message: 'T004 is now below T002.' }, { message: 'T003 now waits on T002.' }],
      })
      await as('bo').must('tasks.cancel', { id: 'T004', reason: 'x' })
      await must('tasks.complete', { id: 'T002' })
      await as('bo').must('tasks.complete', { id: 'T003' })
      expect(await call('tasks.undo', {})).toMatchObject({
        code: 'undo.later',
        problems: [
          { message: 'T003, which waits on T002, was started.' },
          { message: 'Its parent T001 is done.', fix: 'cleo reopen T002 --reason "not done after all"' },
        ],
      })
    }))

  test('[TASK-8] [SPWN-1] a spawned task is not reopened by undo, and a spawn is not undone', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', {
        title: 'Compare',
        parent: 'T001',
        description: 'Which?',
        labels: ['research'],
      })
      await must('orchestrate.spawn', { id: 'T002' })
      expect(await call('tasks.undo', {})).toMatchObject({ code: 'undo.never', exit: 6 })
      await must('tasks.cancel', { id: 'T002', reason: 'x' })
      expect(await must('tasks.undo', {})).toMatchObject({ operation: 'tasks.cancel' })
    }))

  test('[TASK-8] a task that was active is pending after undo, because its claim has ended', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'task' })
      await must('focus.set', { id: 'T001' })
      await must('tasks.block', { id: 'T001', reason: 'x' })
      expect((await must('tasks.undo', {})).tasks[0]!.change).toContain('cleo focus set T001')
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ status: 'pending' })
    }))
})
