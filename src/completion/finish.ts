import * as claims from '../claims/sql/claims.ts'
import { contractCodes } from '../evidence/contract-codes.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { keepToOwnWork } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { heldByOther, transition } from '../tasks/transition.ts'
import { completeParents, unfinished } from './parents.ts'
import { type Permits, underContract } from './under-contract.ts'

export const finishCodes = [
  'task.not_found',
  'task.status',
  'dependency.open',
  'children.open',
  'claim.held',
  'claim.lost',
  ...contractCodes,
  'task.changed',
] as const
type FinishCode = (typeof finishCodes)[number]

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
): Promise<Result<FinishedTask, FinishCode>> =>
  underContract<FinishedTask, FinishCode>(context, id, async (tx, permits) => {
    const task = await tasks.find(tx.db, id)
    if (!task) return fail('task.not_found', { id })
    const outcome = task.outcome ?? 'complete'
    if (task.status === 'done') return ok({ outcome, unblocked: [], completed: [], noChange: true as const })
    const unmet =
      (await unfinished(tx, task)) ??
      (await heldByOther(tx, id, spawn === undefined ? context.actor : { id: spawn, agent: true })) ??
      (await lostBy(tx, id))
    if (unmet) return unmet
    await keepToOwnWork(tx, task, 'complete')
    return close(tx, task, permits)
  })

/** Whoever lost the task hears that first, not what else it lacks. */
const lostBy = async ({ db, actor }: Write, id: string): Promise<Failure<'claim.lost'> | undefined> => {
  if (!(await claims.isLost(db, id, actor.id))) return undefined
  const holder = await claims.holder(db, id)
  return fail('claim.lost', { id, actor: actor.id, owner: holder?.owner })
}

const close = async (
  tx: Write,
  task: TaskRow,
  permits: Permits,
): Promise<Result<FinishedTask, FinishCode>> => {
  const permission = await permits.of(tx, task)
  if (!permission) return fail('task.changed', { id: task.id })
  if (!permission.may) return permission.failure
  const { permit } = permission
  const unblocked = await transition(tx, task, { to: 'done', permit })
  const { completed, warnings } = await completeParents(tx, task, unblocked, permits)
  return ok(
    { outcome: permit.outcome, unblocked, completed },
    { warnings: [...permission.warnings, ...warnings] },
  )
}
