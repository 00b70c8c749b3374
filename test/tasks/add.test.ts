import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { runs } from '../support/properties.ts'

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

  test('[TASK-8] [TASK-6] a batch names faults of every kind together, in the order of the checks', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'Epic', type: 'epic', completes: 'manual' })
      await must('tasks.add', { title: 'Finished', parent: 'T001' })
      await must('tasks.complete', { id: 'T002' })
      const refused = await call('tasks.add', {
        batch: [
          { key: 'a', title: 'a', depends: ['b'] },
          { key: 'b', title: 'b', depends: ['a', 'T098', 'T099'] },
          { key: 'p', title: 'the same key' },
          { title: 'below a finished task', parent: 'T002' },
          { key: 'p', title: 'p', parent: 'q' },
          { key: 'q', title: 'q', parent: 'p' },
          { title: 'its own new id', parent: 'T004', depends: ['T003'] },
          { title: 'an epic in an epic', type: 'epic', parent: 'T001' },
        ],
      })
      expect(refused).toMatchObject({
        ok: false,
        exit: 6,
        problems: [
          { path: 'batch.4.key', message: '"p" is already the key of an earlier row' },
          { path: 'batch.3.parent', message: expect.stringContaining('T002 is done') },
          { path: 'batch.4.parent', message: expect.stringContaining('p → q → p would be a cycle') },
          { path: 'batch.6.parent', message: expect.stringContaining('T004') },
          { path: 'batch.7.parent', message: expect.stringContaining('an epic cannot have a parent') },
          { path: 'batch.1.depends', message: expect.stringContaining('T098, T099') },
          { path: 'batch.6.depends', message: expect.stringContaining('T003') },
          { path: 'batch.0.depends', message: 'a → b → a would be a cycle.' },
        ],
      })
    }))

  test('[TASK-6] a cycle inside a batch is refused with the keys of its rows', () =>
    withProject(async ({ call, must }) => {
      const batch = [
        { key: 'a', title: 'a', depends: ['c'] },
        { key: 'b', title: 'b', depends: ['a'] },
        { key: 'c', title: 'c', depends: ['b'] },
      ]
      expect(await call('tasks.add', { batch })).toMatchObject({
        code: 'cycle',
        message: 'a → c → b → a would be a cycle.',
      })
      // The circle includes stored tasks: the new task needs T002, which waits for the epic that would contain the new
      // task.
      await must('tasks.add', { title: 'Epic', type: 'epic' })
      await must('tasks.add', { title: 'After the epic', depends: ['T001'] })
      expect(
        await call('tasks.add', { batch: [{ key: 'new', title: 'new', parent: 'T001', depends: ['T002'] }] }),
      ).toMatchObject({ code: 'cycle', message: expect.stringContaining('new → T002 → T001 → new') })
      expect((await must('tasks.list', {})).tasks).toHaveLength(2)
    }))

  const rows = runs(10_000)

  test('[TASK-6] [TASK-8] thousands of rows are counted, listed, indexed and logged like single tasks', () =>
    withProject(async ({ must, store }) => {
      await must('tasks.add', { title: 'Before' })
      await must('tasks.add', { title: 'Epic', type: 'epic', depends: ['T001'] })
      const batch = Array.from({ length: rows }, (_, n) => ({
        key: `t${n}`,
        title: `Step number ${n}`,
        description: '- [ ] works',
        // Every tenth row is a parent, and its children come before it.
        parent: n % 10 === 9 ? 'T002' : `t${n - (n % 10) + 9}`,
        depends: n % 10 === 9 && n > 10 ? [`t${n - 10}`, 'T001'] : [],
        labels: ['batch'],
      }))
      const { added } = (await must('tasks.add', { batch })) as {
        added: { id: string; waitsOn?: string[] }[]
      }
      expect(added.map(({ id }) => id)).toEqual(batch.map((_, n) => `T${String(n + 3).padStart(3, '0')}`))
      expect(added[0]).toMatchObject({ waitsOn: ['T001'], type: 'subtask' })
      expect(added[10]).toMatchObject({ waitsOn: ['T001', 'T012'], key: 't10' })
      const db = await store()
      const count = async (sql: string) => Number((await db.get<{ n: number }>(sql))!.n)
      expect(await count('SELECT count(*) AS n FROM audit')).toBe(rows + 2)
      expect(await count('SELECT count(*) AS n FROM criteria')).toBe(rows)
      expect(await count('SELECT count(*) AS n FROM labels')).toBe(rows)
      expect(await count("SELECT children AS n FROM tasks WHERE id = 'T002'")).toBe(rows / 10)
      expect(await count("SELECT unblocks AS n FROM tasks WHERE id = 'T001'")).toBe(rows / 10)
      expect(await count("SELECT blockers AS n FROM tasks WHERE id = 'T013'")).toBe(3)
      expect(
        await count(`SELECT count(*) AS n FROM tasks WHERE
          blockers <> (SELECT count(*) FROM depends d LEFT JOIN tasks p ON p.id = tasks.parent
                       WHERE d.task IN (tasks.id, p.id, p.parent))
          OR children <> (SELECT count(*) FROM tasks c WHERE c.parent = tasks.id)
          OR unblocks <> (SELECT count(*) FROM depends d WHERE d.needs = tasks.id)`),
      ).toBe(0)
      expect(await must('tasks.find', { query: `step ${rows - 1}` })).toMatchObject({
        tasks: [{ id: `T${rows + 2}` }],
      })
      expect(await must('tasks.complete', { id: 'T001' })).toMatchObject({ unblocked: expect.any(Array) })
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

  test('[TASK-6] rows that depend only on each other can close a cycle through the epics above them', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'first', type: 'epic' })
      await must('tasks.add', { title: 'second', type: 'epic', depends: ['T001'] })
      await must('tasks.add', { title: 'part of the second', parent: 'T002' })
      for (const parent of ['T002', 'T003']) {
        const early = { key: 'early', title: 'early', parent: 'T001' }
        const late = { key: 'late', title: 'late', parent }
        expect(await call('tasks.add', { batch: [{ ...early, depends: ['late'] }, late] })).toMatchObject({
          code: 'cycle',
        })
        expect(await call('tasks.add', { batch: [early, { ...late, depends: ['early'] }] })).toMatchObject({
          ok: true,
        })
      }
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
