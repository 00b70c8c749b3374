import { expect, test } from 'vitest'
import { addOutline } from '../../src/outline/ops/add.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { runs } from '../support/properties.ts'
import { recount } from '../support/recount.ts'

const markdown = async ({ must }: TestProject): Promise<string> =>
  ((await must('outline.export', {})) as { document: string }).document

onEveryStore((withProject, store) => {
  test('[TASK-8] an outline is added in one transaction, and a second run changes nothing', () =>
    withProject(async (project) => {
      const { must, root } = project
      const from =
        '# Epic\nText.\n\n- One\n  - [ ] works\n  - Sub (size: small)\n- Two (after: one; priority: high)\n'
      const first = await must('outline.add', { from })
      expect(first.tasks.map(({ id, action }) => `${id} ${action}`)).toEqual([
        'T001 added',
        'T002 added',
        'T003 added',
        'T004 added',
      ])
      expect(await must('tasks.show', { id: 'T004' })).toMatchObject({
        depends: ['T002'],
        priority: 'high',
        key: 'two',
      })
      const { tasks, lines } = await must('outline.add', { from: from.replaceAll('\n', '\r\n') })
      expect(tasks.every(({ action }) => action === 'unchanged')).toBe(true)
      expect(lines).toEqual(first.lines)
      const log = await must('admin.log', {})
      expect(log.entries).toHaveLength(4)
      expect(await markdown(project)).toBe(from)
      if (store === 'sqlite') expect(recount(`${root}/.cleo/cleo.db`)).toEqual([])
    }))

  test('[TASK-8] the outline in the help of add --from is understood in full', () =>
    withProject(async ({ must }) => {
      const { tasks, lines, doubts } = await must('outline.add', {
        from: addOutline.cli.sample!.lines.join('\n'),
      })
      expect(tasks.map(({ level, after = [], criteria = 0 }) => [level, after, criteria])).toEqual([
        [1, [], 0],
        [2, [], 0],
        [2, ['choose-a-payment-provider'], 1],
        [2, [], 0],
      ])
      expect([lines.notUnderstood, doubts]).toEqual([0, undefined])
    }))

  test('[TASK-8] a second run moves, renames and turns dependencies around; undo takes all of it back', () =>
    withProject(async (project) => {
      const { must, root } = project
      const before = '# Epic\n\n- One\n- Two (after: one)\n  - Sub\n'
      await must('outline.add', { from: before })
      const from =
        '# Epic\n- Zero\n- First {#one} (after: two, zero)\n  - Sub {#two/sub}\n- Two (after: none)\n'
      const { tasks } = await must('outline.add', { from })
      expect(tasks.map(({ id, action, changed }) => [id, action, changed?.toSorted()])).toEqual([
        ['T001', 'unchanged', undefined],
        ['T005', 'added', undefined],
        ['T002', 'updated', ['depends', 'title']],
        ['T004', 'updated', ['parent']],
        ['T003', 'updated', ['depends']],
      ])
      if (store === 'sqlite') expect(recount(`${root}/.cleo/cleo.db`)).toEqual([])
      await must('tasks.undo', {})
      expect(await markdown(project)).toBe(before)
      await must('outline.add', { from })
      expect(await must('tasks.show', { id: 'T006' })).toMatchObject({ title: 'Zero', status: 'pending' })
    }))

  test('[TASK-8] what the outline does not name stays; the same keys in two epics are different tasks', () =>
    withProject(async ({ must }) => {
      const from = '# A\n- Tests\n# B\n- Tests (after: T002)\n- More (after: tests)\n'
      await must('outline.add', { from: from.replace(' (after: T002)', '') })
      await must('tasks.update', { id: 'T002', description: 'Kept.', acceptance: ['kept'], labels: ['kept'] })
      const { tasks } = await must('outline.add', { from })
      expect(tasks.filter(({ action }) => action === 'updated').map(({ id }) => id)).toEqual(['T004'])
      expect(await must('tasks.show', { id: 'T005' })).toMatchObject({ depends: ['T004'] })
      expect(await must('tasks.show', { id: 'T002' })).toMatchObject({
        description: 'Kept.',
        labels: ['kept'],
      })
      const below = await must('outline.add', { from: '- Tests\n- New\n', parent: 'T001' })
      expect(below.tasks.map(({ id, action }) => `${id} ${action}`)).toEqual(['T002 unchanged', 'T006 added'])
    }))

  test('[TASK-8] [TASK-6] all problems are named at once with their lines, and nothing is written', () =>
    withProject(async ({ must, call }) => {
      const from = `# E\n- A (after: b; priority: top)\n- B (after: a)\n- B\n- C {#T099} (after: T098)\n- ${'x'.repeat(201)}\n`
      const refused = await call('outline.add', { from })
      expect(refused).toMatchObject({ code: 'outline.invalid', exit: 6 })
      const lines = refused.ok ? [] : refused.problems!.map(({ path }) => path)
      expect(lines).toEqual(['line 2', 'line 2', 'line 4', 'line 5', 'line 5', 'line 6'])
      expect(await call('outline.add', { from: '# E\n- A (after: b)\n- B (after: a)\n' })).toMatchObject({
        code: 'cycle',
        exit: 14,
        message: 'line 2 → line 3 → line 2 would be a cycle.',
      })
      await must('outline.add', { from: '# E\n- A\n- B (after: a)\n' })
      expect(await call('outline.add', { from: '# E\n- A (after: b)\n- B\n' })).toMatchObject({
        code: 'cycle',
        exit: 14,
      })
      expect(await call('outline.add', { from: '- x\0y\n' })).toMatchObject({ code: 'outline.invalid' })
      expect((await must('tasks.list', {})).tasks).toHaveLength(3)
    }))

  const size = runs(10_000)

  test('[TASK-8] thousands of items are added, found again and taken back', () =>
    withProject(async ({ must }) => {
      const items = Array.from(
        { length: size - 1 },
        (_, i) => `- Item ${i}${i > 0 ? ` (after: item ${i - 1})` : ''}\n`,
      )
      const from = `# Epic\n${items.join('')}`
      const half = size / 2
      expect((await must('outline.add', { from })).tasks).toHaveLength(size)
      const changed = from.replace(`- Item ${half} `, `- Item ${half} {#item-${half}} (size: small) `)
      const again = await must('outline.add', { from: changed })
      expect(again.tasks.filter(({ action }) => action !== 'unchanged')).toMatchObject([
        { id: `T${half + 2}` },
      ])
      await must('outline.add', { from: from.replace('# Epic', '# Other') })
      expect((await must('tasks.undo', {})).tasks).toHaveLength(size)
      expect((await must('tasks.show', { id: `T${size + 1}` })).status).toBe('cancelled')
    }))
})
