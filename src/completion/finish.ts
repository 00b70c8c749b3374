import { lostClaim } from '../claims/fence.ts'
import { contractCodes } from '../evidence/missing-requirements.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { refuseForeignTask } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { claimedByOther, transition } from '../tasks/transition.ts'
import { type Permits, withContractCheck, withPermit } from './contract-check.ts'
import type { Permission } from './permission.ts'

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
export type FinishCode = (typeof finishCodes)[number]

export interface FinishedTask {
  outcome: 'complete' | 'partial'
  /** Tasks that became ready. */
  unblocked: string[]
  /** Parents that were completed together with the task. */
  completed: string[]
  /** The task was already done. */
  noChange?: true
}

/**
 * Makes a task done if its contract holds. Every operation that completes tasks calls this function. An actor that
 * completes the task for a spawn passes that spawn's id as `spawn`. That spawn's claim is then no reason to refuse. A
 * caller that has just checked the contract passes the result as `known`.
 */
export const finishTask = (
  context: Context,
  id: string,
  spawn?: string,
  known?: Permission,
): Promise<Result<FinishedTask, FinishCode>> => {
  const finish = async (tx: Write, permits: Permits): Promise<Result<FinishedTask, FinishCode>> => {
    const task = await tasks.find(tx.db, id)
    if (!task) return fail('task.not_found', { id })
    const outcome = task.outcome ?? 'complete'
    if (task.status === 'done') return ok({ outcome, unblocked: [], completed: [], noChange: true as const })
    const unmet =
      (await unfinished(tx, task)) ??
      (await claimedByOther(tx, id, spawn === undefined ? context.actor : { id: spawn, agent: true })) ??
      // Report a lost claim before other missing requirements.
      (await lostClaim(tx.db, id, tx.actor.id))
    if (unmet) return unmet
    await refuseForeignTask(tx, task, 'complete')
    return makeDone(tx, task, permits)
  }
  return withContractCheck<FinishedTask, FinishCode>(context, id, finish, known)
}

const makeDone = async (
  tx: Write,
  task: TaskRow,
  permits: Permits,
): Promise<Result<FinishedTask, FinishCode>> => {
  const votes = task.stage === 'consensus' ? permits.votes() : undefined
  const permission = await permits.of(tx, task)
  if (!permission) return fail('task.changed', { id: task.id })
  if (!permission.may) return permission.failure
  const unvoted = await votes?.refuseUnspawnedVoter(tx, task)
  if (unvoted) return unvoted
  const { permit } = permission
  const unblocked = await transition(tx, task, { to: 'done', permit })
  const settled = (await votes?.settleRound(tx, task)) ?? []
  const { completed, warnings } = await completeParents(tx, task, unblocked, permits)
  return ok(
    { outcome: permit.outcome, unblocked, completed },
    { warnings: [...permission.warnings, ...settled, ...warnings] },
  )
}

/** Returns why a task cannot be completed yet, even if its contract holds. */
const unfinished = async ({ db }: Write, task: TaskRow) => {
  const { id, status } = task
  if (status === 'blocked' || status === 'cancelled')
    return fail('task.status', { id, status, verb: 'complete' })
  const waits = task.blockers > 0 ? await tasks.openNeeds(db, id) : []
  if (waits.length > 0) return fail('dependency.open', { id, on: waits })
  const open = task.children > 0 ? await tasks.openChildren(db, id) : []
  return open.length > 0 ? fail('children.open', { id, open }) : undefined
}

/**
 * Completes a parent when its last open child is closed. A parent stays open if it is set to be completed manually,
 * has open dependencies, or is an epic before its last stage. If the parent was spawned itself and its own contract
 * does not hold, or its voters did not decide its question, it also stays open, with a warning.
 */
export const completeParents = async (
  write: Write,
  task: TaskRow,
  unblocked: string[],
  permits: Permits,
): Promise<{ completed: string[]; warnings: string[] }> => {
  const done = { completed: [] as string[], warnings: [] as string[] }
  for (let child = task; child.parent; ) {
    const parent = await tasks.find(write.db, child.parent)
    if (!parent || !closesItself(parent) || (await isStillOpen(write, parent))) break
    const votes = (await tasks.hasVoters(write.db, parent.id)) ? permits.votes() : undefined
    const held = await votes?.holdForVerdict(write, parent)
    if (held) done.warnings.push(`${parent.id} stays open: ${held}`)
    if (held) break
    const permit = await votes?.permitByVerdict(write, parent)
    const permission = permit ? withPermit(permit) : await permits.of(write, parent)
    if (permission && !permission.may) {
      const { problems, message } = permission.failure
      const missing = problems?.map(({ path }) => path).join(', ') ?? message
      done.warnings.push(`${parent.id} stays open although its last child is done; missing: ${missing}`)
    }
    if (!permission?.may) break
    unblocked.push(...(await transition(write, parent, { to: 'done', permit: permission.permit })))
    done.completed.push(parent.id)
    done.warnings.push(...permission.warnings.map((warning) => `${parent.id}: ${warning}`))
    child = parent
  }
  return done
}

/** Checks the same as `unfinished` but builds no refusal, because most completions leave the parent open. */
const isStillOpen = async ({ db }: Write, { id, status, blockers, children }: TaskRow): Promise<boolean> =>
  status === 'blocked' ||
  status === 'cancelled' ||
  blockers > 0 ||
  (children > 0 && (await tasks.openChildren(db, id, 1)).length > 0)

const lastStages: (string | null)[] = [null, 'release', 'contribution']
const closesItself = ({ completes, type, stage }: TaskRow): boolean =>
  completes === 'auto' && (type !== 'epic' || lastStages.includes(stage))
