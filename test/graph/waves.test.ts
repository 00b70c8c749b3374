import { expect, test } from 'vitest'
import { findCycle } from '../../src/graph/waits.ts'
import { analyze } from '../../src/graph/waves.ts'
import { closed } from '../../src/kernel/task.ts'
import { ancestorsOf, childrenOf, forests, isReady, type Planted } from '../support/graphs.ts'
import fc, { runs } from '../support/properties.ts'

/** Turns tasks into a possible project: closed parents have no open children, and nothing waits in a circle. */
const possible = (seeds: Planted[]): Planted[] => {
  const tasks = seeds.map((task) => ({
    ...task,
    needs: [] as string[],
    status: task.status === 'active' ? ('pending' as const) : task.status,
  }))
  tasks[0]!.status = 'pending'
  for (const task of tasks) {
    if (!closed(task.status))
      for (const above of ancestorsOf(tasks, task)) if (closed(above.status)) above.status = 'pending'
  }
  seeds.forEach(({ needs }, i) => {
    for (const need of needs) {
      tasks[i]!.needs.push(need)
      if (findCycle(tasks)) tasks[i]!.needs.pop()
    }
  })
  return tasks
}

/**
 * Computes the waves step by step. Each step completes all tasks that are ready, and each parent together with its
 * last open child.
 */
const played = (tasks: Planted[], below: Set<string>): string[][] => {
  const now = tasks.map((task) => ({
    ...task,
    status: task.status === 'blocked' ? ('pending' as const) : task.status,
  }))
  const waves: string[][] = []
  for (;;) {
    const wave = now.filter((task) => below.has(task.id) && canStart(now, task))
    if (wave.length === 0) return waves
    waves.push(wave.map(({ id }) => id))
    for (const task of wave) end(now, task, below)
  }
}

/** Completes a task. If it was the last open child of its parent, completes the parent too, and so on upwards. */
const end = (tasks: Planted[], task: Planted, below: Set<string>): void => {
  task.status = 'done'
  const parent = tasks.find(({ id }) => id === task.parent)
  if (!parent || !below.has(parent.id)) return
  if (childrenOf(tasks, parent.id).every(({ status }) => closed(status))) end(tasks, parent, below)
}

/** Whether a task is ready, or is a parent whose children are all closed and that only has to be completed. */
const canStart = (tasks: Planted[], task: Planted): boolean =>
  isReady(
    tasks.filter(({ parent, status }) => parent !== task.id || !closed(status)),
    task,
  )

const belowRoot = (tasks: Planted[]): Planted[] => {
  const inside = new Set([tasks[0]!.id])
  for (let grew = true; grew; ) {
    grew = false
    for (const { id, parent } of tasks)
      if (parent && inside.has(parent) && !inside.has(id)) grew = Boolean(inside.add(id))
  }
  const level = (task: Planted) => ancestorsOf(tasks, task).length
  return tasks.filter(({ id }) => inside.has(id)).sort((a, b) => level(a) - level(b))
}

const analysed = (tasks: Planted[]) => {
  const nodes = belowRoot(tasks)
  const statusOf = new Map(tasks.map(({ id, status }) => [id, status]))
  const needs = nodes.flatMap(({ id, status, needs }) =>
    closed(status) ? [] : needs.map((need) => ({ task: id, needs: need, status: statusOf.get(need)! })),
  )
  return { nodes, found: analyze(nodes, needs) }
}

const sorted = (waves: string[][]) => waves.map((wave) => wave.toSorted())

test('[ORCH-2] the waves equal a step-by-step simulation of the epic', () => {
  fc.assert(
    fc.property(forests(9), (seeds) => {
      const tasks = possible(seeds)
      const { nodes, found } = analysed(tasks)
      const below = new Set(nodes.slice(1).map(({ id }) => id))
      expect(sorted(found.waves)).toEqual(sorted(played(tasks, below)))
    }),
    { numRuns: runs(10_000) },
  )
})

test('[ORCH-2] every open task without open children is in one wave or listed as blocked from outside, with what it waits on', () => {
  fc.assert(
    fc.property(forests(9), (seeds) => {
      const tasks = possible(seeds)
      const { nodes, found } = analysed(tasks)
      const leaves = nodes
        .slice(1)
        .filter(
          ({ id, status }) => !closed(status) && childrenOf(tasks, id).every((child) => closed(child.status)),
        )
      const listed = [...found.waves.flat(), ...found.blockedOutside.map(({ id }) => id)]
      expect(listed.toSorted()).toEqual(leaves.map(({ id }) => id).toSorted())
      for (const { on } of found.blockedOutside) expect(on.length).toBeGreaterThan(0)
    }),
    { numRuns: runs(10_000) },
  )
})

test('[ORCH-2] the critical path is as long as there are waves, one task from each', () => {
  fc.assert(
    fc.property(forests(9), (seeds) => {
      const tasks = possible(seeds)
      const { found } = analysed(tasks)
      expect(found.criticalPath).toHaveLength(found.waves.length)
      found.criticalPath.forEach((id, i) => expect(found.waves[i]).toContain(id))
    }),
    { numRuns: runs(10_000) },
  )
})

test('[ORCH-2] 100,000 tasks in one chain are layered without overflowing the stack', () => {
  const nodes = Array.from({ length: 100_001 }, (_, i) => ({
    id: `T${i}`,
    parent: i === 0 ? null : 'T0',
    status: 'pending' as const,
  }))
  const needs = Array.from({ length: 99_999 }, (_, i) => ({
    task: `T${i + 2}`,
    needs: `T${i + 1}`,
    status: 'pending' as const,
  }))
  expect(analyze(nodes, needs).waves).toHaveLength(100_000)
})
