import { expect, test } from 'vitest'
import { findCycle } from '../../src/graph/waits.ts'
import { childrenOf, forests, type Planted } from '../support/graphs.ts'
import fc, { runs } from '../support/properties.ts'

/**
 * Whether tasks wait in a circle. Computes this the slow way, by the transitive closure over the starts and ends of
 * all tasks.
 */
const hasCircle = (tasks: readonly Planted[]): boolean => {
  const before = new Map<string, Set<string>>()
  const edge = (from: string, to: string) => before.set(from, (before.get(from) ?? new Set()).add(to))
  for (const { id, parent, needs } of tasks) {
    edge(`${id} done`, `${id} start`)
    if (parent) edge(`${id} start`, `${parent} start`)
    for (const child of childrenOf(tasks, id)) edge(`${id} done`, `${child.id} done`)
    for (const need of needs) edge(`${id} start`, `${need} done`)
  }
  for (let grew = true; grew; ) {
    grew = false
    for (const reached of before.values()) {
      const size = reached.size
      for (const next of [...reached]) for (const further of before.get(next) ?? []) reached.add(further)
      grew ||= reached.size > size
    }
  }
  return [...before].some(([from, reached]) => reached.has(from))
}

test('[TASK-6] a cycle is found exactly when there is one', () => {
  fc.assert(
    fc.property(forests(7), (tasks) => {
      expect(findCycle(tasks) !== undefined).toBe(hasCircle(tasks))
    }),
    { numRuns: runs(10_000) },
  )
})

test('[TASK-6] the reported cycle is real: each task waits on the next', () => {
  let circles = 0
  fc.assert(
    fc.property(forests(8), (tasks) => {
      const cycle = findCycle(tasks)
      if (!cycle) return
      circles++
      const { path, contains } = cycle
      expect(path.length).toBeGreaterThan(1)
      expect(path[0]).toBe(path.at(-1))
      const byId = new Map(tasks.map((task) => [task.id, task]))
      for (let i = 0; i + 1 < path.length; i++) {
        const [from, to] = [byId.get(path[i]!)!, byId.get(path[i + 1]!)!]
        const depends = from.needs.includes(to.id)
        const inTree = from.parent === to.id || to.parent === from.id
        expect(depends || (contains && inTree)).toBe(true)
      }
    }),
    { numRuns: runs(10_000) },
  )
  expect(circles).toBeGreaterThan(1000)
})

test('[TASK-6] a chain of 100,000 and its closing link are checked without overflowing the stack', () => {
  const chain = Array.from({ length: 100_000 }, (_, i) => ({
    id: `T${i}`,
    parent: null,
    needs: i === 0 ? [] : [`T${i - 1}`],
  }))
  expect(findCycle(chain)).toBeUndefined()
  chain[0]!.needs = ['T99999']
  expect(findCycle(chain)?.path).toHaveLength(100_001)
})
