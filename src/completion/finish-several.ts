import type { Failure, Result } from '../kernel/result.ts'
import { tryIngest } from '../manifest/ingest.ts'
import type { Context } from '../operation/context.ts'
import { forEachTask, type Several } from '../operation/several.ts'
import { withContractCheck } from './contract-check.ts'
import {
  type FinishCode,
  type FinishedTask,
  finishIn,
  keepOutputOf,
  type MergeNeeded,
  mergeNeeded,
  spawnOf,
} from './finish.ts'

/**
 * Completes several tasks in one transaction. If one of them is refused, completes none. `answer` builds the answer for
 * one task.
 */
export const finishTasks = async <T>(
  context: Context,
  first: string,
  more: readonly string[],
  answer: (id: string, finished: Result<FinishedTask, FinishCode>) => Result<T, FinishCode>,
): Promise<Result<T | Several<T>, FinishCode>> => {
  const warnings = await tryIngest(context)
  const needed = new Map<string, MergeNeeded | Failure<'worktree.elsewhere'>>()
  const spawns = new Map<string, string | undefined>()
  for (const id of [first, ...more]) {
    const spawn = await spawnOf(context, id)
    spawns.set(id, spawn)
    needed.set(id, await mergeNeeded(context, spawn))
  }
  const pending = new Set<string>()
  const closed = new Set<string>()
  const finished = await withContractCheck<T | Several<T>, FinishCode>(context, first, (tx, permits) =>
    forEachTask(first, more, async (id) => {
      const merge = needed.get(id)!
      if ('ok' in merge) return merge
      const one = await finishIn(tx, permits, context, id, merge, {})
      if (!one.ok) return answer(id, one)
      if (one.value.merge && !one.value.noChange) pending.add(id)
      for (const parent of one.value.completed) closed.add(parent)
      // Leave out tasks that the same command completes: they are done, not ready.
      const unblocked = one.value.unblocked.filter((each) => !needed.has(each))
      const { noChange, ...value } = one.value
      const same = noChange && !closed.has(id) && { noChange }
      return answer(id, { ...one, value: { ...value, unblocked, ...same } })
    }),
  )
  if (finished.ok) for (const id of pending) await keepOutputOf(context, spawns.get(id)!)
  return warnings.length > 0
    ? { ...finished, warnings: [...warnings, ...(finished.warnings ?? [])] }
    : finished
}
