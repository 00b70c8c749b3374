import { closed, type Status, statuses } from '../../src/kernel/task.ts'
import fc from './properties.ts'

export interface Planted {
  id: string
  parent: string | null
  status: Status
  needs: string[]
}

/** Small forests of at most three levels with random dependencies, including circles. */
export const forests = (size: number): fc.Arbitrary<Planted[]> =>
  fc
    .array(
      fc.record({
        above: fc.option(fc.nat(), { nil: undefined }),
        needs: fc.array(fc.nat(), { maxLength: 3 }),
        status: fc.constantFrom(...statuses),
      }),
      { minLength: 1, maxLength: size },
    )
    .map((seeds) => {
      const tasks: Planted[] = []
      const depth: number[] = []
      seeds.forEach(({ above, status, needs }, i) => {
        const p = above === undefined || i === 0 ? -1 : above % i
        const fits = p >= 0 && depth[p]! < 3
        depth.push(fits ? depth[p]! + 1 : 1)
        const wanted = [...new Set(needs.map((n) => n % seeds.length))].filter((n) => n !== i)
        tasks.push({ id: name(i), parent: fits ? name(p) : null, status, needs: wanted.map(name) })
      })
      return tasks
    })

const name = (i: number): string => `T${String(i + 1).padStart(3, '0')}`

export const childrenOf = (tasks: readonly Planted[], id: string): Planted[] =>
  tasks.filter((task) => task.parent === id)

export const ancestorsOf = (tasks: readonly Planted[], task: Planted): Planted[] => {
  const above = tasks.find(({ id }) => id === task.parent)
  return above ? [above, ...ancestorsOf(tasks, above)] : []
}

/**
 * Whether a task is ready, as the specification defines this: the task is pending and has no children, and neither
 * the task nor an ancestor has an open dependency.
 */
export const isReady = (tasks: readonly Planted[], task: Planted): boolean =>
  task.status === 'pending' &&
  childrenOf(tasks, task.id).length === 0 &&
  [task, ...ancestorsOf(tasks, task)].every(({ needs }) =>
    needs.every((need) => closed(tasks.find(({ id }) => id === need)!.status)),
  )
