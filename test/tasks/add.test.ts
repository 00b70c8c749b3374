import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[TASK-1] [TASK-7] every field of a task is stored and shown, empty ones are left out', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', {
        title: '  Form ',
        description: 'Build it.\n- [ ] works offline',
        parent: '1',
        labels: ['ui', 'ui', 'accounts'],
        files: ['src/form.ts'],
        acceptance: ['rejects a bad e-mail'],
        priority: 'high',
        size: 'small',
        stage: 'implementation',
      })
      expect(await must('tasks.show', { id: 't2' })).toEqual({
        id: 'T002',
        title: 'Form',
        status: 'pending',
        priority: 'high',
        size: 'small',
        type: 'task',
        description: 'Build it.\n- [ ] works offline',
        parent: 'T001',
        labels: ['ui', 'accounts'],
        files: ['src/form.ts'],
        acceptance: [
          { n: 1, text: 'rejects a bad e-mail', state: 'open' },
          { n: 2, text: 'works offline', state: 'open' },
        ],
        stage: 'implementation',
        origin: 'ada',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
    }))

  test('[TASK-3] the type follows from the parent; a subtask has no children; depth ends at 3', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      expect(await must('tasks.add', { title: 'task', parent: 'T001' })).toMatchObject({ type: 'task' })
      expect(await must('tasks.add', { title: 'subtask', parent: 'T002' })).toMatchObject({ type: 'subtask' })
      expect(await must('tasks.add', { title: 'task in task', type: 'task', parent: 'T002' })).toMatchObject({
        type: 'task',
      })
      expect(await call('tasks.add', { title: 'x', parent: 'T003' })).toMatchObject({
        code: 'parent.invalid',
        exit: 13,
      })
      expect(await call('tasks.add', { title: 'x', parent: 'T004' })).toMatchObject({
        code: 'depth.exceeded',
        exit: 11,
      })
      expect(await call('tasks.add', { title: 'x', parent: 'T099' })).toMatchObject({
        code: 'parent.not_found',
        exit: 4,
      })
      expect(await call('tasks.add', { title: 'x', type: 'epic', parent: 'T001' })).toMatchObject({
        exit: 13,
      })
      expect(await call('tasks.add', { title: 'x', type: 'subtask' })).toMatchObject({ exit: 6 })
    }))

  test('[TASK-8] every problem is named at once, and the first decides the exit', () =>
    withProject(async ({ call }) => {
      const refused = await call('tasks.add', { title: 'x', parent: 'T050', depends: ['T051', 'T052'] })
      expect(refused).toMatchObject({
        ok: false,
        exit: 4,
        problems: [{ path: 'parent' }, { path: 'depends' }],
      })
      const invalid = await call('tasks.add', { title: ' ', priority: 'hihg' as 'high', labels: ['a b'] })
      expect(invalid).toMatchObject({
        exit: 6,
        problems: [{ path: 'title' }, { path: 'labels.0' }, { path: 'priority' }],
      })
    }))

  test('[TASK-8] a batch adds all rows, in whatever order parents and keys are given', () =>
    withProject(async ({ must }) => {
      const { added } = (await must('tasks.add', {
        batch: [
          { key: 'form', title: 'Form', parent: 'epic', depends: ['hash'] },
          { key: 'epic', title: 'Accounts', type: 'epic' },
          { key: 'hash', title: 'Hashing', parent: 'epic' },
          { title: 'Mails', parent: 'form' },
        ],
      })) as { added: { id: string; type: string; key?: string }[] }
      expect(added).toMatchObject([
        { id: 'T001', type: 'task', key: 'form' },
        { id: 'T002', type: 'epic', key: 'epic' },
        { id: 'T003', type: 'task', key: 'hash' },
        { id: 'T004', type: 'subtask' },
      ])
      expect(await must('orchestrate.analyze', { epic: 'T002' })).toMatchObject({
        waves: [['T003'], ['T004']],
      })
    }))

  test('[TASK-8] a batch with bad rows writes nothing and names each of them', () =>
    withProject(async ({ call, must }) => {
      const refused = await call('tasks.add', {
        batch: [
          { key: 'a', title: 'fine' },
          { key: 'a', title: 'same key' },
          { title: 'lost', parent: 'nobody', depends: ['T077'] },
          { key: 'p', title: 'p', parent: 'q' },
          { key: 'q', title: 'q', parent: 'p' },
        ],
      })
      const problems = (refused as { problems: { path: string }[] }).problems.map(({ path }) => path)
      expect(problems.toSorted()).toEqual([
        'batch.1.key',
        'batch.2.depends',
        'batch.2.parent',
        'batch.3.parent',
      ])
      expect((await must('tasks.list', {})).tasks).toEqual([])
      expect(await must('tasks.add', { title: 'the first one' })).toMatchObject({ id: 'T001' })
    }))

  test('[TASK-6] cycles are refused at write time and shown whole', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'a' })
      await must('tasks.add', { title: 'b', depends: ['T001'] })
      await must('tasks.add', { title: 'c', depends: ['T002'] })
      expect(await call('tasks.update', { id: 'T001', depends: ['T003'] })).toMatchObject({
        code: 'cycle',
        exit: 14,
        message: 'T001 → T003 → T002 → T001 would be a cycle.',
      })
      expect(await call('tasks.update', { id: 'T001', depends: ['T001'] })).toMatchObject({ exit: 14 })
      expect((await must('tasks.show', { id: 'T001' })).depends).toBeUndefined()
    }))

  test('[TASK-6] a dependency on an ancestor, a descendant, or around through an epic is a cycle too', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'one', type: 'epic' })
      await must('tasks.add', { title: 'two', type: 'epic' })
      await must('tasks.add', { title: 'in one', parent: 'T001' })
      await must('tasks.add', { title: 'in two', parent: 'T002' })
      expect(await call('tasks.update', { id: 'T003', depends: ['T001'] })).toMatchObject({ exit: 14 })
      expect(await call('tasks.update', { id: 'T001', depends: ['T003'] })).toMatchObject({ exit: 14 })
      await must('tasks.update', { id: 'T001', depends: ['T004'] })
      expect(await call('tasks.update', { id: 'T004', depends: ['T003'] })).toMatchObject({ exit: 14 })
      expect(await call('tasks.update', { id: 'T003', parent: 'T002' })).toMatchObject({ ok: true })
    }))

  test("[TASK-6] an epic's dependencies bind its children, across epics too", () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'first' })
      await must('tasks.add', { title: 'epic', type: 'epic', depends: ['T001'] })
      await must('tasks.add', { title: 'child', parent: 'T002' })
      expect(await call('focus.set', { id: 'T003' })).toMatchObject({ code: 'dependency.open', exit: 5 })
      expect(await must('tasks.complete', { id: 'T001' })).toMatchObject({ unblocked: ['T003'] })
    }))

  test('[TASK-2] ids are never reused, whatever is cancelled', () =>
    withProject(async ({ must }) => {
      for (let n = 1; n <= 100; n++) {
        expect(await must('tasks.add', { title: 'x' })).toMatchObject({
          id: `T${String(n).padStart(3, '0')}`,
        })
        await must('tasks.cancel', { id: String(n), reason: 'test' })
      }
    }))
})
