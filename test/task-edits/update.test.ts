import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[TASK-8] update changes the given fields, lists what changed, and reports when nothing did', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Form', labels: ['a', 'b'], files: ['x.ts'] })
      expect(
        await must('tasks.update', { id: 'T001', addLabels: ['c'], removeLabels: ['a'], priority: 'low' }),
      ).toEqual({
        id: 'T001',
        changed: ['priority', 'labels'],
      })
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({
        labels: ['b', 'c'],
        priority: 'low',
        files: ['x.ts'],
      })
      expect(await must('tasks.update', { id: 'T001', priority: 'low' })).toMatchObject({ noChange: true })
      const [entry] = (await must('admin.log', { operation: 'tasks.update' })).entries
      expect(entry).toMatchObject({
        before: { priority: 'medium', labels: ['a', 'b'] },
        after: { priority: 'low' },
      })
    }))

  test('[TASK-7] a new description replaces its own criteria; given ones and their states stay', () =>
    withProject(async ({ must, store }) => {
      await must('tasks.add', { title: 'Form', acceptance: ['given'], description: '- [ ] old\n- [ ] kept' })
      await (await store()).run("UPDATE criteria SET state = 'met' WHERE text = 'kept'")
      await must('tasks.update', { id: 'T001', description: '- [ ] kept\n- [ ] new' })
      expect((await must('tasks.show', { id: 'T001' })).acceptance).toEqual([
        { n: 1, text: 'given', state: 'open' },
        { n: 2, text: 'kept', state: 'met' },
        { n: 3, text: 'new', state: 'open' },
      ])
    }))

  test('[TASK-3] moving a task moves everything below it, within three levels', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'one', type: 'epic' })
      await must('tasks.add', { title: 'two', type: 'epic' })
      await must('tasks.add', { title: 'task', parent: 'T001' })
      await must('tasks.add', { title: 'part', parent: 'T003' })
      await must('tasks.add', { title: 'other', parent: 'T002' })
      await must('tasks.update', { id: 'T003', parent: 'T002' })
      expect((await must('tasks.list', { epic: 'T002' })).tasks.map(({ id }) => id)).toEqual([
        'T002',
        'T003',
        'T004',
        'T005',
      ])
      expect(await call('tasks.update', { id: 'T003', parent: 'T005' })).toMatchObject({
        code: 'depth.exceeded',
        exit: 11,
      })
      expect(await call('tasks.update', { id: 'T003', parent: 'T004' })).toMatchObject({ exit: 14 })
      expect(await call('tasks.update', { id: 'T002', parent: 'T001' })).toMatchObject({ exit: 13 })
      expect(await must('tasks.update', { id: 'T003', parent: 'none' })).toMatchObject({
        changed: ['parent'],
      })
    }))

  test('[TASK-8] additions to a list count together with what it has already', () =>
    withProject(async ({ must, call }) => {
      const labels = Array.from({ length: 50 }, (_, i) => `l${i}`)
      await must('tasks.add', { title: 'Form', labels })
      expect(await call('tasks.update', { id: 'T001', addLabels: ['one-more'] })).toMatchObject({
        exit: 6,
        problems: [{ path: 'labels', message: 'would have 51 items; the limit is 50' }],
      })
      expect((await must('tasks.show', { id: 'T001' })).labels).toEqual(labels)
    }))

  test('[OUT-3] a status is refused with the command that changes it, and that command works', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Form' })
      const fixFor = async (status: string) => {
        const refused = await call('tasks.update', { id: 'T001', status })
        expect(refused).toMatchObject({ code: 'task.status_verb', exit: 6 })
        return refused.ok ? '' : refused.fix
      }
      expect(await fixFor('blocked')).toBe('cleo block T001 --reason "…"')
      expect(await fixFor('In Progress')).toBe('cleo focus set T001')
      await must('focus.set', { id: 'T001' })
      expect(await fixFor('pending')).toBe('cleo focus clear T001')
      await must('focus.clear', { id: 'T001' })
      await must('tasks.block', { id: 'T001', reason: 'no access' })
      expect(await fixFor('pending')).toBe('cleo unblock T001')
      await must('tasks.unblock', { id: 'T001' })
      expect(await fixFor('done')).toBe('cleo complete T001')
      await must('tasks.complete', { id: 'T001' })
      expect(await fixFor('open')).toBe('cleo reopen T001 --reason "…"')
      expect(await fixFor('cancelled')).toBe('cleo cancel T001 --reason "…"')
      expect(await fixFor('nonsense')).toBe('cleo update --help')
    }))

  test('[TASK-8] a status beside other fields changes nothing and is reported with their problems', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Form' })
      const refused = await call('tasks.update', {
        id: 'T001',
        title: 'x',
        status: 'done',
        depends: ['T099'],
      })
      expect(refused).toMatchObject({
        problems: [
          { path: 'status', fix: 'cleo complete T001' },
          { path: 'depends', code: 'dependency.not_found' },
        ],
      })
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ title: 'Form', status: 'pending' })
    }))
})
