import * as claims from '../claims/sql/claims.ts'
import * as returns from '../claims/sql/returns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { blockerOf, blockTask } from '../completion/block-task.ts'
import { finishCodes, finishTask } from '../completion/finish.ts'
import type { Permission } from '../completion/permission.ts'
import { isRun } from '../kernel/numbered-id.ts'
import { type Failure, fail, type Ok, ok, type Result } from '../kernel/result.ts'
import type { Reply } from '../kernel/return-line.ts'
import * as links from '../manifest/sql/links.ts'
import type { MergedWork, MergeResult } from '../merge/merge-works.ts'
import type { Context, Write } from '../operation/context.ts'
import { brief } from '../print/brief.ts'
import { contractCodes } from '../standing/missing-requirements.ts'
import type { TaskRow } from '../store/rows.ts'
import { spawnProblems, startCommand } from '../tasks/spawn-problems.ts'
import * as counts from '../tasks/sql/counts.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as search from '../tasks/sql/search.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { mergeCodes } from '../worktrees/codes.ts'
import { readyTasks } from '../worktrees/ready-tasks.ts'
import { type LineFault, lineProblem, lineRecord, missingFile, type SubmittedEntry } from './check-return.ts'
import type { FollowUps } from './follow-ups.ts'
import { firstFew, type ReceiveAnswer } from './receive-answer.ts'

const codes = [...finishCodes, 'manifest.missing', 'output.missing', ...mergeCodes] as const
type AcceptCode = (typeof codes)[number]
/** `finishCodes` already contains some of the codes added above, so duplicates are removed. */
export const acceptCodes: readonly AcceptCode[] = [...new Set(codes)]

export interface ReturnedResult {
  task: TaskRow
  spawn: spawns.SpawnRow
  entry: SubmittedEntry
  reply?: Reply
  fault?: LineFault
  /** True to make tasks from the entry's follow-ups. */
  followUps: boolean
  /** True to let the dependents of a partial task start before its follow-ups are done. */
  release: boolean
  /** True if a later spawn has replaced this spawn, but a person accepts the work of this spawn. */
  replaced: boolean
  /** The result of checking the contract, if the caller has just checked it. */
  known?: Permission
  /** True to leave the branch unmerged, because the caller merges several branches at once. */
  mergeLater: boolean
  /** True to postpone the merge to a later call, even if the branch can be merged now. */
  noMerge: boolean
}

/**
 * Accepts the work that a spawn submitted. Checks the spawn's output file and the task's gates. Then completes or
 * blocks the task, as the entry says. Merges the branch, unless the caller postpones the merge.
 */
export const acceptResult = async (
  context: Context,
  returned: ReturnedResult,
): Promise<Result<ReceiveAnswer, AcceptCode>> => {
  const { task, spawn, entry, fault } = returned
  // Load this module before the transaction, which other commands wait for.
  if (needsFollowing(returned)) await import('./follow-ups.ts')
  const ended = await endTask(context, returned)
  if (!ended.ok) return fault ? withLine(ended, fault) : ended
  const isLater = returned.mergeLater || (returned.noMerge && (await isPending(context, task.id)))
  const merged = isLater ? undefined : await mergeWork(context, task.id, spawn)
  if (returned.release && !merged) ended.value.unblocked.push(...(await releaseUnmerged(context, task.id)))
  const warnings = [
    ...(fault ? [`BASE-002: ${spawn.id}: ${fault.what}`] : []),
    ...(ended.warnings ?? []),
    ...ended.value.followed.warnings,
    ...(merged?.warnings ?? []),
  ]
  if (merged && !merged.ok) return { ...merged, warnings }
  const about = { id: task.id, root: task.root, entry, ended: ended.value, merged }
  // If the caller merges several branches at once, name no next task. The caller prints a line for each branch, but
  // only one task can be next. In a run, also name no next task, because a run looks for ready tasks itself.
  const withNext = !returned.mergeLater && !isRun(context.actor.id)
  return ok(await answerOf(context, about, { withNext }), { warnings })
}

/**
 * Whether follow-ups have to be added, or whether dependents must stop waiting for follow-ups. `follow-ups.ts` is
 * loaded only in these cases, because most entries have no follow-ups.
 */
const needsFollowing = ({ entry, followUps, release }: ReturnedResult): boolean =>
  release || (followUps && entry.body['needs_followup'] !== undefined)

const isPending = async ({ store }: Context, id: string): Promise<boolean> =>
  (await tasks.find(store, id))?.merge === 'pending'

/** Returns undefined if the spawn worked in the checkout. */
const mergeWork = async (
  context: Context,
  task: string,
  spawn: spawns.SpawnRow,
): Promise<MergeResult | undefined> => {
  if (spawns.optionsOf(spawn)?.tree === undefined) return undefined
  const { mergeReturned } = await import('../merge/merge-returned.ts')
  return (await mergeReturned(context, [{ task, spawn }])).get(spawn.id)
}

/** Lets dependents start although the partial work is not merged. The work stays on its branch. */
const releaseUnmerged = async (context: Context, id: string): Promise<string[]> => {
  const released = await context.write(async (tx) => {
    if ((await tasks.find(tx.db, id))?.merge !== 'pending') return ok([])
    const unblocked = await merges.endMerge(tx.db, id, 'refused', tx.now)
    await tx.record({ task: id, before: { merge: 'pending' }, after: { merge: 'refused' } })
    return ok(unblocked)
  })
  return released.value
}

const endTask = async (context: Context, returned: ReturnedResult): Promise<Result<Ended, AcceptCode>> => {
  const { task, spawn, entry } = returned
  if (entry.status !== 'blocked' && task.status !== 'done') return finishReturned(context, returned)
  // An earlier command accepted the work and was stopped before the merge, so there is nothing new to record.
  if (task.merge === 'pending' && (await isReceived(context, task.id, spawn.id))) return ok(nothingNew())
  return recordFinished(context, returned)
}

const nothingNew = (): Ended => ({ unblocked: [], followed: { made: [], linked: [], warnings: [] } })

const isReceived = async ({ store }: Context, task: string, spawn: string): Promise<boolean> =>
  (await returns.receiptsOf(store, task)).some((receipt) => receipt.spawn === spawn && receipt.returned)

export const closedTask = ({ id, status }: TaskRow) => fail('task.status', { id, status, verb: 'receive' })

/** If a refusal lists missing requirements, adds the problem of the return line at the end of the list. */
const withLine = (failure: Failure<AcceptCode>, fault: LineFault): Failure<AcceptCode> =>
  failure.problems ? { ...failure, problems: [...failure.problems, ...lineProblem(fault)] } : failure

interface Ended {
  unblocked: string[]
  followed: FollowUps
}

/** Completes the task and records the return, in one transaction. */
const finishReturned = async (
  context: Context,
  returned: ReturnedResult,
): Promise<Result<Ended, AcceptCode>> => {
  const { task, spawn, replaced, known } = returned
  let followed: FollowUps = { made: [], linked: [], warnings: [] }
  const finished = await finishTask(context, task.id, {
    spawn: spawn.id,
    replaced,
    ...(known && { known }),
    // If the task has no parent, its follow-ups become its children. A task with open children cannot become done,
    // so these follow-ups are added only after the task is done.
    ...(task.parent !== null && {
      alongside: async (tx) => {
        followed = await recordReturn(tx, returned)
      },
    }),
  })
  if (!finished.ok) return forOrchestrator(finished, task.id)
  const { unblocked, split, noChange } = finished.value
  const isRecorded = task.parent !== null && (split || !noChange)
  if (isRecorded) return ok({ unblocked, followed }, { warnings: finished.warnings })
  const recorded = await context.write(async (tx) => ok(await recordReturn(tx, returned)))
  const warnings = [...(finished.warnings ?? []), ...(recorded.warnings ?? [])]
  return ok({ unblocked, followed: recorded.value }, { warnings })
}

/**
 * Suggests `respawn` instead of commands that only the subagent could run. After a `respawn`, the prompt of the next
 * attempt says what is missing.
 */
const forOrchestrator = (failure: Failure<AcceptCode>, task: string): Failure<AcceptCode> => {
  if (!(contractCodes as readonly string[]).includes(failure.code)) return failure
  const problems = failure.problems?.map(({ fix: _, ...problem }) => problem)
  return { ...failure, fix: `cleo respawn ${task} --ref`, problems }
}

/** Records the return of a task that is blocked, or that its subagent has already completed. */
const recordFinished = async (
  context: Context,
  returned: ReturnedResult,
): Promise<Result<Ended, AcceptCode>> => {
  const { task, spawn, entry, replaced } = returned
  const isBlocked = entry.status === 'blocked'
  const missing = await missingFile(context, spawn)
  if (missing) return missing
  if (isBlocked && task.status === 'done') return closedTask(task)
  const { gateRemarks } = await import('../standing/gate-remarks.ts')
  const remarks = isBlocked ? [] : await gateRemarks(context.store, task.id)
  const recorded = await context.write(async (tx): Promise<Ok<FollowUps> | Failure<'claim.held'>> => {
    const held = isBlocked ? await blockTask(tx, { ...spawn, replaced }, entry) : undefined
    return held ?? ok(await recordReturn(tx, returned))
  })
  if (!recorded.ok) return recorded
  const unblocked = isBlocked ? [] : await counts.readyDependents(context.store, task.id, 100)
  return ok({ unblocked, followed: recorded.value }, { warnings: [...remarks, ...(recorded.warnings ?? [])] })
}

const recordReturn = async (tx: Write, returned: ReturnedResult): Promise<FollowUps> => {
  const { task, spawn, entry, reply, fault, followUps, release, replaced } = returned
  await links.add(tx.db, { task: task.id, entry: entry.id, at: tx.now, actor: tx.actor.id })
  const following = needsFollowing(returned) ? await import('./follow-ups.ts') : undefined
  const hold = entry.status === 'partial' && !release
  const followed = (followUps && (await following?.followUp(tx, { task, spawn: spawn.id, entry, hold }))) || {
    made: [],
    linked: [],
    warnings: [],
  }
  if (release) await following!.releaseDependents(tx, task.id)
  const receipt: returns.Receipt = {
    spawn: spawn.id,
    returned: entry.status,
    entry: entry.id,
    ...(reply?.need && { need: reply.need }),
    ...(followUps && { made: followed.made }),
  }
  await returns.add(tx.db, receipt, { task: task.id, at: tx.now, actor: tx.actor.id })
  if (replaced) await spawns.markAllReturned(tx.db, task.id, tx.now)
  await tx.record({ task: task.id, after: { ...receipt, ...lineRecord(reply, fault) } })
  return followed
}

interface ReceivedTask {
  id: string
  root: string
  entry: SubmittedEntry
  ended: Ended
  merged?: MergedWork
}

const answerOf = async (
  context: Context,
  { id, root, entry, ended, merged }: ReceivedTask,
  { withNext }: { withNext: boolean },
): Promise<ReceiveAnswer> => {
  const { made } = ended.followed
  const unblocked = [...new Set([...ended.unblocked, ...(merged?.unblocked ?? [])])]
  const next = withNext ? await nextTask(context, root) : undefined
  const ready = firstFew(unblocked)
  const followUps = firstFew(made)
  return {
    taskId: id,
    outcome: entry.status,
    ...(merged && { merge: { into: merged.into, commits: merged.commits } }),
    unblocked: ready.few,
    ...(ready.more && { more: ready.more }),
    ...(entry.status === 'blocked' && { why: brief(blockerOf(entry), 60) }),
    ...(next
      ? { next, then: await startCommand(context.store, next) }
      : await landing(context, root, merged)),
    ...(made.length > 0 && { followUps: followUps.few }),
    ...(followUps.more && { moreFollowUps: followUps.more }),
  }
}

const nextTask = async (context: Context, root: string): Promise<string | undefined> => {
  const { chosen } = await readyTasks(context, { root, limit: 1, skip: 0 })
  // Do not recommend a task that `spawn` would refuse. `cleo next` says what that task lacks.
  return chosen[0] && spawnProblems(chosen[0], context.config).length === 0 ? chosen[0].id : undefined
}

/** Returns the command that lands the epic, if the epic is done and its merged work has not landed yet. */
const landing = async (
  { store }: Context,
  root: string,
  merged: MergedWork | undefined,
): Promise<{ then?: string }> =>
  merged && (await search.unlanded(store, root)) ? { then: `cleo land ${root}` } : {}

/**
 * Releases the task if the subagent has claimed it. If the subagent still runs, its commands are refused once
 * another agent claims the task.
 */
export const releaseTask = async (tx: Write, task: string, spawn: string): Promise<void> => {
  const row = await tasks.find(tx.db, task)
  if (row?.status !== 'active') return
  const claim = await claims.holder(tx.db, task)
  if (claim?.owner === spawn) await transition(tx, row, { to: 'pending' })
}
