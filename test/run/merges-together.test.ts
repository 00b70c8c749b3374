import { expect, test } from 'vitest'
import { ok, type Result } from '../../src/kernel/result.ts'
import { mergesTogether } from '../../src/run/merges-together.ts'

test('[RUN-4] [TREE-4] works that wait while a merge runs are merged by one call, and each gets its own result', async () => {
  const calls: { tasks: readonly string[]; answer(result: Result<unknown>): void }[] = []
  const merge = mergesTogether((tasks) => new Promise((answer) => void calls.push({ tasks, answer })))
  const first = merge('T002')
  const others = [merge('T003'), merge('T004'), merge('T005')]
  expect(calls.map(({ tasks }) => tasks)).toEqual([['T002']])
  calls[0]!.answer(ok({ received: [{ taskId: 'T002', outcome: 'complete' }] }))
  expect(await first).toMatchObject({ outcome: 'complete' })
  expect(calls.map(({ tasks }) => tasks)).toEqual([['T002'], ['T003', 'T004', 'T005']])
  calls[1]!.answer(
    ok({
      received: [
        { taskId: 'T003', outcome: 'complete' },
        { taskId: 'T004', outcome: 'refused', code: 'merge.red', exit: 24, why: 'make test failed' },
        { taskId: 'T005', outcome: 'partial' },
      ],
    }),
  )
  expect(await Promise.all(others)).toMatchObject([
    { outcome: 'complete' },
    { code: 'merge.red', exit: 24, message: 'make test failed', retryable: false },
    { outcome: 'partial' },
  ])
})

test('[RUN-4] a merge that throws is thrown for each of its works, and later works are still merged', async () => {
  let times = 0
  const merge = mergesTogether(async () => {
    times += 1
    if (times === 1) throw new Error('the store is gone')
    return ok({ received: [{ taskId: 'T003', outcome: 'complete' }] })
  })
  await expect(merge('T002')).rejects.toThrow('the store is gone')
  expect(await merge('T003')).toMatchObject({ outcome: 'complete' })
})
