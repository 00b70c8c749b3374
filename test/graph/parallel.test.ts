import { expect, test } from 'vitest'
import { parallelSet } from '../../src/graph/parallel.ts'
import fc, { runs } from '../support/properties.ts'

const task = (id: string, ...files: string[]) => ({ id, files })
const options = { limit: 10, shared: false }

test('[ORCH-3] tasks that declare the same file, a folder around it or a glob over it do not run side by side', () => {
  const { chosen, waiting } = parallelSet(
    [
      task('T1', 'src/signup.ts'),
      task('T2', 'src/signup.ts', 'test/x.ts'),
      task('T3', 'src/'),
      task('T4', 'src/*.ts'),
      task('T5', './src/login.ts'),
      task('T6', 'src/login.ts'),
    ],
    [],
    options,
  )
  expect(chosen.map(({ id }) => id)).toEqual(['T1', 'T5'])
  expect(waiting.map(({ id }) => id)).toEqual(['T2', 'T3', 'T4', 'T6'])
  expect(waiting[0]!.why).toBe('shares src/signup.ts with T1')
})

test('[ORCH-3] files of active tasks count as taken', () => {
  const { chosen, waiting } = parallelSet(
    [task('T2', 'a/b.ts'), task('T3', 'c.ts')],
    [task('T1', 'a')],
    options,
  )
  expect(chosen.map(({ id }) => id)).toEqual(['T3'])
  expect(waiting).toEqual([{ id: 'T2', why: 'shares a/b.ts with T1' }])
})

test('[ORCH-3] unknown files run side by side in worktrees and alone in a shared folder', () => {
  const tasks = [task('T1'), task('T2'), task('T3', 'a.ts')]
  expect(parallelSet(tasks, [], options).chosen).toHaveLength(3)
  const shared = parallelSet(tasks, [], { ...options, shared: true })
  expect(shared.chosen.map(({ id }) => id)).toEqual(['T1'])
  expect(shared.waiting).toHaveLength(2)
})

/** Whether two declared paths overlap, computed the slow way. */
const overlap = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

test('[ORCH-3] the chosen set never overlaps, and no task waits without a reason', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/'))
  const tasks = fc.array(fc.array(path, { maxLength: 3 }), { maxLength: 8 })
  fc.assert(
    fc.property(tasks, (lists) => {
      const all = lists.map((files, i) => task(`T${i}`, ...files))
      const { chosen, waiting } = parallelSet(all, [], { limit: 100, shared: false })
      const clash = (x: (typeof all)[number], y: (typeof all)[number]) =>
        x.files.some((a) => y.files.some((b) => overlap(a, b)))
      for (const x of chosen) for (const y of chosen) if (x !== y) expect(clash(x, y)).toBe(false)
      for (const { id } of waiting) {
        const late = all.find((each) => each.id === id)!
        expect(chosen.some((early) => clash(early, late))).toBe(true)
      }
    }),
    { numRuns: runs(10_000) },
  )
})
