import * as claims from '../claims/sql/claims.ts'
import * as returns from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { blockerOf, blockTask } from '../completion/block-task.ts'
import { finishCodes, finishTask } from '../completion/finish.ts'
import { brief } from '../kernel/print/brief.ts'
import { type Failure, fail, type Ok, ok, type Result } from '../kernel/result.ts'
import type { ReturnStatus } from '../kernel/return-line.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { readySet } from '../tasks/ready-set.ts'
import * as counts from '../tasks/sql/counts.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { missingFile, type SubmittedEntry, submittedEntry } from './check-return.ts'
import type { FollowUps } from './follow-ups.ts'
import { firstFew, type ReceiveAnswer } from './receive-answer.ts'

const codes = [...finishCodes, 'manifest.missing', 'output.missing', 'return.status'] as const
type AcceptCode = (typeof codes)[number]
/** `finishCodes` already contains some of the codes added above, so duplicates are removed. */
export const acceptCodes: readonly AcceptCode[] = [...new Set(codes)]

interface ReturnedResult {
  task: TaskRow
  spawn: SpawnRow
  said: ReturnStatus
  followUps: boolean
}

/** Accepts a returned result. Does not rely on the line alone, but checks the submitted entry, its file and gates. */
export const acceptResult = async (
  context: Context,
  returning: ReturnedResult,
): Promise<Result<ReceiveAnswer, AcceptCode>> => {
  const { task, spawn, said } = returning
  if (task.status === 'cancelled')
    return fail('task.status', { id: task.id, status: task.status, verb: 'receive' })
  const submitted = await submittedEntry(context, spawn, said)
  if ('ok' in submitted) return submitted
  const ended = await finishReturned(context, returning)
  if (!ended.ok) return ended
  const recorded = await recordReturn(context, returning, submitted.entry)
  if (!recorded.ok) return recorded
  const warnings = [
    ...submitted.warnings,
    ...(ended.warnings ?? []),
    ...recorded.value.warnings,
    ...(recorded.warnings ?? []),
  ]
  return ok(await answer(context, returning, ended.value, recorded.value, submitted.entry), { warnings })
}

/**
 * Completes the task, unless it is already done, is an epic, or was returned as blocked. Returns the tasks that became
 * ready.
 */
const finishReturned = async (
  context: Context,
  { task, spawn, said }: ReturnedResult,
): Promise<Result<string[], AcceptCode>> => {
  if (said !== 'blocked' && task.status !== 'done' && task.type !== 'epic') {
    const finished = await finishTask(context, task.id, spawn.id)
    return finished.ok
      ? ok(finished.value.unblocked, { warnings: finished.warnings })
      : withoutVoting(finished, task.id)
  }
  const missing = await missingFile(context, spawn)
  if (missing) return missing
  if (said === 'blocked' && task.status === 'done')
    return fail('task.status', { id: task.id, status: task.status, verb: 'receive' })
  if (task.status !== 'done') return ok([])
  const { gateRemarks } = await import('../evidence/gate-remarks.ts')
  const warnings = await gateRemarks(context.store, task.id)
  return ok(await counts.readyDependents(context.store, task.id, 100), { warnings })
}

/** An orchestrator must not vote for a voter, so the fix is to spawn the voter again. */
const withoutVoting = (failure: Failure<AcceptCode>, task: string): Failure<AcceptCode> => {
  const fix = `cleo respawn ${task} --ref`
  const problems = failure.problems?.map((each) => (each.path === 'vote' ? { ...each, fix } : each))
  return failure.code === 'vote.missing' ? { ...failure, fix, problems } : { ...failure, problems }
}

/** Records the blocker, the link to the entry, the follow-ups and the return. */
const recordReturn = async (
  context: Context,
  { task, spawn, said, followUps }: ReturnedResult,
  entry: SubmittedEntry,
): Promise<Result<FollowUps, 'claim.held'>> => {
  const { followUp } = followUps ? await import('./follow-ups.ts') : {}
  return context.write(async (tx): Promise<Ok<FollowUps> | Failure<'claim.held'>> => {
    const held = said === 'blocked' ? await blockTask(tx, spawn, entry) : undefined
    if (held) return held
    if (task.type === 'epic') await releaseTask(tx, task.id, spawn.id)
    await links.add(tx.db, { task: task.id, entry: entry.id, at: tx.now, actor: tx.actor.id })
    const followed = followUp
      ? await followUp(tx, { task, spawn: spawn.id, entry })
      : { made: [], linked: [], warnings: [] }
    const receipt: returns.Receipt = {
      spawn: spawn.id,
      returned: said,
      entry: entry.id,
      ...(followUps && { made: followed.made }),
    }
    await returns.add(tx.db, receipt, { task: task.id, at: tx.now, actor: tx.actor.id })
    await tx.record({ task: task.id, after: receipt })
    return ok(followed)
  })
}

const answer = async (
  { store }: Context,
  { task, said }: ReturnedResult,
  unblocked: readonly string[],
  { made }: FollowUps,
  entry: SubmittedEntry,
): Promise<ReceiveAnswer> => {
  const { chosen } = await readySet(store, { root: task.root, limit: 1, shared: false, skip: 0 })
  const next = chosen[0]?.id
  const ready = firstFew(unblocked)
  const followUps = firstFew(made)
  return {
    taskId: task.id,
    outcome: said,
    unblocked: ready.few,
    ...(ready.more && { more: ready.more }),
    ...(said === 'blocked' && { why: brief(blockerOf(entry), 60) }),
    ...(next && { next }),
    ...(made.length > 0 && { followUps: followUps.few }),
    ...(followUps.more && { moreFollowUps: followUps.more }),
  }
}

/** Releases the task if the subagent holds it. A subagent that is still running is refused after the next claim. */
export const releaseTask = async (tx: Write, task: string, spawn: string): Promise<void> => {
  const row = await tasks.find(tx.db, task)
  if (row?.status !== 'active') return
  const claim = await claims.holder(tx.db, task)
  if (claim?.owner === spawn) await transition(tx, row, { to: 'pending' })
}
