import { type Failure, fail, ok, type Result } from '../../model/result.ts'
import * as tasks from '../../store/tasks.ts'
import type { Context } from '../context.ts'
import { completeParents, unfinished } from './parents.ts'
import { heldByOther, transition } from './transition.ts'

export const finishCodes = [
  'task.not_found',
  'task.status',
  'dependency.open',
  'children.open',
  'claim.held',
] as const

export interface FinishedTask {
  outcome: 'complete' | 'partial'
  /** Tasks that became ready. */
  unblocked: string[]
  /** Parents that were done with it. */
  completed: string[]
  /** It was done already. */
  noChange?: true
}

/**
 * Makes a task done, under its contract where it was spawned: every way to done comes by here. `spawn` is who handed
 * the work in, where somebody else asks for it: its claim is not in the way.
 */
export const finishTask = (
  context: Context,
  id: string,
  spawn?: string,
): Promise<Result<FinishedTask, (typeof finishCodes)[number]>> =>
  context.write(async (tx): Promise<Result<FinishedTask, (typeof finishCodes)[number]>> => {
    const task = await tasks.find(tx.db, id)
    if (!task) return fail('task.not_found', { id })
    const outcome = task.outcome ?? 'complete'
    if (task.status === 'done') return ok({ outcome, unblocked: [], completed: [], noChange: true as const })
    const actor = spawn === undefined ? context.actor : { id: spawn, agent: true }
    const unmet: Failure<(typeof finishCodes)[number]> | undefined =
      (await unfinished(tx, task)) ?? (await heldByOther(tx, id, actor))
    if (unmet) return unmet
    const unblocked = await transition(tx, task, { to: 'done', outcome })
    const completed = await completeParents(tx, task, unblocked)
    return ok({ outcome, unblocked, completed })
  })
