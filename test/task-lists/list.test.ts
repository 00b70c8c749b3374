import { expect, test } from 'vitest'
import { priorities, type Status, sizes, statuses, types } from '../../src/kernel/task.ts'
import { type Random, random } from '../reliability/random.ts'
import { plantTasks } from '../support/counted.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('list shows open tasks by default, and filters by every given field', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', {
        title: 'child',
        parent: 'T001',
        labels: ['a'],
        priority: 'high',
        size: 'small',
      })
      await must('tasks.add', { title: 'done' })
      await must('tasks.complete', { id: 'T003' })
      const ids = async (filter: Parameters<typeof must<'tasks.list'>>[1]) =>
        (await must('tasks.list', filter)).tasks.map(({ id }) => id)
      expect(await ids({})).toEqual(['T001', 'T002'])
      expect(await ids({ all: true })).toEqual(['T001', 'T002', 'T003'])
      expect(await ids({ status: 'done' })).toEqual(['T003'])
      expect(await ids({ status: ['done', 'pending'] })).toEqual(['T001', 'T002', 'T003'])
      expect(await ids({ type: 'epic' })).toEqual(['T001'])
      expect(await ids({ parent: 'T001' })).toEqual(['T002'])
      expect(await ids({ epic: 'T001' })).toEqual(['T001', 'T002'])
      expect(await ids({ label: 'a', priority: 'high', size: 'small' })).toEqual(['T002'])
      expect(await ids({ priority: 'critical' })).toEqual([])
    }))

  test('list pages in order of creation and counts all that match', () =>
    withProject(async ({ call, must }) => {
      for (const n of [1, 2, 3]) await must('tasks.add', { title: `${n}` })
      expect(await call('tasks.list', { limit: 2 })).toMatchObject({
        value: { tasks: [{ id: 'T001' }, { id: 'T002' }] },
        page: { total: 3, limit: 2, next: 'T002' },
      })
      const last = await call('tasks.list', { limit: 2, after: 'T002' })
      expect(last).toMatchObject({ value: { tasks: [{ id: 'T003' }] }, page: { total: 3 } })
      expect(last).not.toHaveProperty('page.next')
      const all = await call('tasks.list', { limit: 0 })
      expect(all).toMatchObject({ value: { tasks: { length: 3 } }, page: { total: 3, limit: 0 } })
      expect(all).not.toHaveProperty('page.next')
      expect(await call('tasks.list', { limit: -1 })).toMatchObject({ code: 'input.invalid' })
    }))
})

interface Stored {
  id: string
  type: string
  parent: string | null
  root: string
  status: string
  priority: number
  size: string
  labels: string[]
  seq: number
  title: string
  updated_at: number
  blockers: number
  children: number
  attempt_out: number
  unblocks: number
}

/**
 * Adds three trees and single tasks of every kind. Writes statuses directly to the database, because commands would
 * not allow every combination.
 */
const plant = async ({ must, store }: TestProject, chance: Random): Promise<Stored[]> => {
  const batch = Array.from({ length: 70 }, (_, i) => ({
    key: `k${i}`,
    title: `${i % 2 ? 'Task' : 'task'} ${i}`,
    ...(i < 3 && { type: 'epic' as const }),
    ...(i >= 3 && i < 60 && { parent: i < 30 ? `k${i % 3}` : `k${3 + chance.below(27)}` }),
    priority: chance.pick(['critical', 'high', 'medium', 'medium', 'low'] as const),
    size: chance.pick(['small', 'medium', 'medium', 'large'] as const),
    labels: chance.next() < 0.5 ? [chance.pick(['a', 'b'])] : [],
  }))
  await must('tasks.add', { batch })
  const db = await store()
  for (const { key } of batch)
    await db.run(
      'UPDATE tasks SET status = ?, updated_at = ? WHERE seq = ?',
      chance.pick(statuses),
      chance.below(20),
      Number(key.slice(1)) + 1,
    )
  const labels = await db.all<{ task: string; label: string }>('SELECT task, label FROM labels')
  const rows = await db.all<Omit<Stored, 'labels'>>('SELECT * FROM tasks ORDER BY seq')
  return rows.map((row) => ({
    ...row,
    labels: labels.filter(({ task }) => task === row.id).map(({ label }) => label),
  }))
}

type Filter = Parameters<typeof listAll>[1]

const someFilter = (chance: Random): Filter => {
  const maybe = <T>(values: readonly T[]): T | undefined =>
    chance.next() < 0.3 ? chance.pick(values) : undefined
  const ready = chance.next() < 0.2
  const given = {
    ready: ready || undefined,
    status: ready
      ? undefined
      : maybe<Status | Status[]>([...statuses, ['done', 'cancelled'], ['pending', 'done']]),
    all: ready ? undefined : maybe([true]),
    sort: maybe(['id', 'created', 'updated', 'priority', 'title'] as const),
    type: maybe(types),
    parent: maybe(['T001', 'T002', 'T010', 'T065']),
    epic: maybe(['T001', 'T002', 'T065']),
    label: maybe(['a', 'b', 'c']),
    priority: maybe(priorities),
    size: maybe(sizes),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const isReady = ({ status, blockers, children, attempt_out }: Stored): boolean =>
  status === 'pending' && Number(blockers) + Number(children) + Number(attempt_out) === 0

/** Compares two tasks by the order in which a list shows them. */
const compare = ({ sort, ready }: Filter, a: Stored, b: Stored): number => {
  const older = a.seq - b.seq
  const title = ({ title }: Stored) => title.toLowerCase()
  if (sort === 'created') return -older
  if (sort === 'updated') return b.updated_at - a.updated_at || -older
  if (sort === 'priority') return a.priority - b.priority || older
  if (sort === 'title') return title(a) < title(b) ? -1 : title(a) > title(b) ? 1 : older
  return sort === undefined && ready ? a.priority - b.priority || b.unblocks - a.unblocks || older : older
}

const matches = (task: Stored, filter: Filter): boolean =>
  (!filter.ready || isReady(task)) &&
  (filter.status
    ? [filter.status].flat().some((status) => status === task.status)
    : filter.all || !['done', 'cancelled'].includes(task.status)) &&
  (filter.type ?? task.type) === task.type &&
  (filter.parent ?? task.parent) === task.parent &&
  (filter.epic ?? task.root) === task.root &&
  (!filter.label || task.labels.includes(filter.label)) &&
  (filter.priority ?? priorities[task.priority]) === priorities[task.priority] &&
  (filter.size ?? task.size) === task.size

/** Returns the tasks of all pages, and every total that a page gave. */
const listAll = async (
  { call }: TestProject,
  filter: Omit<Parameters<typeof call<'tasks.list'>>[1], 'after' | 'limit'>,
  limit: number,
): Promise<{ ids: string[]; totals: Set<number> }> => {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let after: string | undefined; ; ) {
    const page = await call('tasks.list', { ...filter, limit, ...(after && { after }) })
    if (!page.ok) throw new Error(page.message)
    ids.push(...page.value.tasks.map(({ id }) => id))
    totals.add(page.page!.total)
    after = page.page!.next
    if (after === undefined) return { ids, totals }
  }
}

onEveryStore((withProject) => {
  test('any filter lists, page by page, what a filter over all tasks gives, and counts it', () =>
    withProject(async (project) => {
      const chance = random(11)
      const tasks = await plant(project, chance)
      let seen = 0
      for (let i = 0; i < 250; i++) {
        const filter = someFilter(chance)
        const found = tasks.filter((task) => matches(task, filter))
        const ids = found.sort((a, b) => compare(filter, a, b)).map(({ id }) => id)
        const answer = await listAll(project, filter, 1 + chance.below(15))
        expect({ filter, ...answer }).toEqual({ filter, ids, totals: new Set([ids.length]) })
        seen += ids.length
      }
      expect(seen).toBeGreaterThan(500)
    }))

  test('list counts open tasks exactly, and other filters up to a thousand', () =>
    withProject(async (project) => {
      await plantTasks(await project.store(), 1200, "'task ' || n")
      const { must, call } = project
      await must('tasks.complete', { id: 'T007' })
      expect(await call('tasks.list', { limit: 5 })).toMatchObject({ page: { total: 1199, next: 'T005' } })
      expect(await call('tasks.list', { all: true, limit: 5 })).toMatchObject({ page: { total: 1200 } })
      const counted = await call('tasks.list', { size: 'medium', limit: 5 })
      expect(counted).toMatchObject({ page: { total: 1000, atLeast: true, next: 'T005' } })
      expect(await call('tasks.list', { size: 'small', limit: 5 })).toMatchObject({ page: { total: 0 } })
      expect(await call('tasks.list', { limit: 5 })).not.toHaveProperty('page.atLeast')
    }))

  test('[OPS-1] --mine lists what the actor has claimed, with other filters too', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      for (const title of ['Form', 'Mail', 'Page'])
        await must('tasks.add', { title, parent: 'T001', labels: [title.toLowerCase()], files: [title] })
      await must('focus.set', { id: 'T004' })
      await project.as('eve').must('focus.set', { id: 'T002' })
      const mine = async (filter: object, as = project) =>
        (await as.must('tasks.list', { mine: true, ...filter })).tasks.map(({ id }) => id)
      expect(await mine({})).toEqual(['T004'])
      expect(await mine({}, project.as('eve'))).toEqual(['T002'])
      for (const sort of ['id', 'created', 'updated', 'priority', 'title'])
        expect(await mine({ sort, epic: 'T001' })).toEqual(['T004'])
      expect(await mine({ label: 'page' })).toEqual(['T004'])
      expect(await mine({ label: 'form' })).toEqual([])
      expect(await mine({ status: 'done' })).toEqual([])
      expect(await mine({}, project.as('bob'))).toEqual([])
    }))

  test('[OPS-1] --ready contradicts statuses other than pending', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Form' })
      expect(await call('tasks.list', { ready: true, status: ['pending', 'active'] })).toMatchObject({
        value: { tasks: [{ id: 'T001' }] },
      })
      for (const filter of [{ status: 'done' as const }, { all: true }])
        expect(await call('tasks.list', { ready: true, ...filter })).toMatchObject({
          code: 'input.invalid',
          problems: [{ path: 'ready' }],
        })
      expect(await call('tasks.list', { sort: 'title', after: 'T099' })).toMatchObject({
        code: 'task.not_found',
      })
    }))

  test('[OPS-1] orders without an index are made from ten thousand tasks at most', () =>
    withProject(async (project) => {
      await plantTasks(await project.store(), 10_001, "'task ' || n")
      for (const sort of ['title', 'updated'] as const)
        expect(await project.call('tasks.list', { sort })).toMatchObject({
          code: 'list.unsorted',
          fix: 'cleo list --sort created',
        })
      for (const sort of ['created', 'priority'] as const)
        expect(await project.call('tasks.list', { sort, limit: 3 })).toMatchObject({
          page: { total: 10_001 },
        })
      await project.must('tasks.complete', { id: 'T007' })
      expect(await project.call('tasks.list', { sort: 'title', limit: 2 })).toMatchObject({
        value: { tasks: [{ id: 'T001' }, { id: 'T010' }] },
        page: { total: 10_000, next: 'T010' },
      })
    }))

  test('[OPS-1] a task that is not an epic is refused', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      expect((await must('tasks.list', { epic: 'T001' })).tasks).toHaveLength(2)
      expect(await call('tasks.list', { epic: 'T002' })).toMatchObject({ code: 'epic.expected' })
      expect(await call('tasks.list', { epic: 'T009' })).toMatchObject({ code: 'task.not_found' })
    }))
})
