import { expect, test } from 'vitest'
import { closed, type Priority, priorities } from '../../src/kernel/task.ts'
import { taskCounts } from '../support/counted.ts'
import { ancestorsOf, isReady, type Planted } from '../support/graphs.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import fc, { runs } from '../support/properties.ts'

interface Stored extends Planted {
  priority: Priority
  blockers: number
  unblocks: number
  children: number
}

/** Reads the tasks from the database with SQL of its own, without the code under test. */
const stored = async ({ store }: TestProject): Promise<Stored[]> => {
  const db = await store()
  const rows = await db.all<Omit<Stored, 'needs' | 'priority'> & { priority: number }>(
    'SELECT * FROM tasks ORDER BY seq',
  )
  const edges = await db.all<{ task: string; needs: string }>('SELECT task, needs FROM depends')
  const needs = Map.groupBy(edges, ({ task }) => task)
  return rows.map((row) => ({
    ...row,
    priority: priorities[row.priority]!,
    needs: needs.get(row.id)?.map((edge) => edge.needs) ?? [],
  }))
}

const checkCounts = (tasks: Stored[]): void => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const isOpen = (id: string) => !closed(byId.get(id)!.status)
  const counted = tasks.map((task) => {
    const line = [task, ...ancestorsOf(tasks, task)] as Stored[]
    return {
      id: task.id,
      blockers: line.flatMap(({ needs }) => needs.filter(isOpen)).length,
      unblocks: tasks.filter(({ id, needs }) => isOpen(id) && needs.includes(task.id)).length,
      children: tasks.filter(({ parent }) => parent === task.id).length,
    }
  })
  expect(tasks.map(({ id, blockers, unblocks, children }) => ({ id, blockers, unblocks, children }))).toEqual(
    counted,
  )
}

const inOrder = (tasks: Stored[]): string[] =>
  tasks
    .filter((task) => isReady(tasks, task))
    .sort(
      (a, b) =>
        priorities.indexOf(a.priority) - priorities.indexOf(b.priority) ||
        b.unblocks - a.unblocks ||
        a.id.localeCompare(b.id),
    )
    .map(({ id }) => id)

type Step = { verb: number; on: number; other: number; level: number }

/** Runs one random command. A refusal is fine, but the test looks for changes that are only half done. */
const deed = async (
  { call }: TestProject,
  { verb, on, other, level }: Step,
  count: number,
): Promise<void> => {
  const id = `T${(on % count) + 1}`
  const ref = `T${(other % count) + 1}`
  const priority = priorities[level % 4]!
  const deeds: (() => Promise<unknown>)[] = [
    () =>
      call('tasks.add', {
        title: 'x',
        priority,
        ...(level % 2 && { parent: id }),
        depends: level % 3 ? [ref] : [],
      }),
    () => call('tasks.add', { title: 'e', type: 'epic', depends: [ref] }),
    () => call('tasks.complete', { id }),
    () => call('tasks.complete', { id }),
    () => call('tasks.cancel', { id, reason: 'r', withChildren: level % 2 === 0 }),
    () => call('tasks.reopen', { id, reason: 'r' }),
    () => call('tasks.update', { id, addDepends: [ref] }),
    () => call('tasks.update', { id, removeDepends: [ref], priority }),
    () => call('tasks.update', { id, parent: level % 3 ? ref : 'none' }),
    () => call('tasks.block', { id, reason: 'r' }),
    () => call('tasks.unblock', { id }),
    () => call('tasks.complete', { id }, { dryRun: true }),
  ]
  await deeds[verb % deeds.length]!()
}

const step = fc.record({ verb: fc.nat(1000), on: fc.nat(1000), other: fc.nat(1000), level: fc.nat(1000) })

onEveryStore((withProject, store) => {
  // PostgreSQL gets fewer runs, because the same commands take ten times as long over a connection. Both stores
  // keep the counts with the same statements.
  const projects = runs(store === 'sqlite' ? 200 : 50)

  test('[TASK-6] [ORCH-3] the ready index and the numbers of tasks equal a recomputation after each of many random changes', async () => {
    let deeds = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 50 }), (steps) =>
        withProject(async (project) => {
          await project.must('tasks.add', { title: 'first' })
          let tasks = await stored(project)
          for (const each of steps) {
            await deed(project, each, tasks.length)
            tasks = await stored(project)
            checkCounts(tasks)
            const { kept, counted } = await taskCounts(await project.store())
            expect(kept).toEqual(counted)
            const { tasks: ready } = await project.must('orchestrate.ready', { limit: 1000, shared: false })
            expect(ready.map(({ id }) => id)).toEqual(inOrder(tasks))
            deeds++
          }
        }),
      ),
      { numRuns: projects, endOnFailure: true },
    )
    expect(deeds).toBe(projects * 50)
  })
})

onEveryStore((withProject) => {
  test('[ORCH-3] ready skips as many clashing tasks as necessary, and pages through all', () =>
    withProject(async ({ must }) => {
      const clashing = Array.from({ length: 60 }, (_, i) => ({ title: `same ${i}`, files: ['src/one.ts'] }))
      const free = Array.from({ length: 3 }, (_, i) => ({ title: `own ${i}`, files: [`src/own-${i}.ts`] }))
      await must('tasks.add', { batch: [...clashing, ...free] })
      const { tasks, waiting, moreWaiting } = await must('orchestrate.ready', { limit: 4 })
      expect(tasks.map(({ id }) => id)).toEqual(['T001', 'T061', 'T062', 'T063'])
      expect(waiting).toHaveLength(4)
      expect(moreWaiting, 'the rest is counted').toBe(55)
    }))
})
