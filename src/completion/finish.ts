import { lostClaim } from '../claims/fence.ts'
import type { SpawnWork } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { branchOf, headOf } from '../git/repository.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Merge } from '../kernel/task.ts'
import type { Context, Write } from '../operation/context.ts'
import { mayHaveLines } from '../output/manifest-path.ts'
import { contractCodes } from '../standing/missing-requirements.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { heldForAgents, refuseForeignTask } from '../tasks/own-work.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import {
  claimedByOther,
  isContainer,
  type Permit,
  type SubmittedCommit,
  transition,
} from '../tasks/transition.ts'
import * as worktrees from '../worktrees/sql.ts'
import { type Permits, withContractCheck, withPermit } from './contract-check.ts'
import type { Permission } from './permission.ts'

export const finishCodes = [
  'task.not_found',
  'task.status',
  'dependency.open',
  'children.open',
  'claim.held',
  'claim.lost',
  'worktree.elsewhere',
  ...contractCodes,
  'task.changed',
] as const
export type FinishCode = (typeof finishCodes)[number]

export interface FinishedTask {
  outcome: 'complete' | 'partial'
  /** Tasks that became ready. */
  unblocked: string[]
  /** Parents that became done together with the task. */
  completed: string[]
  /** Set if the task was split into child tasks. It is pending again, and becomes done when its last child is done. */
  split?: true
  /** Set if the task was already done or split. */
  noChange?: true
  /** Set if the work is on its own branch. Dependents wait until it is merged. */
  merge?: 'pending'
}

export interface FinishOptions {
  /** The spawn whose work the caller received. A claim of this spawn on the task does not cause a refusal. */
  spawn?: string
  /** True to accept `spawn` even if a later spawn has replaced it and has claimed the task. */
  replaced?: boolean
  /** The result of checking the contract, if the caller has just checked it. */
  known?: Permission
  /** Writes more rows in the transaction that finishes the task. A retry of the transaction calls it again. */
  alongside?(tx: Write): Promise<void>
}

/**
 * Makes a task done if its contract holds. Ingests new manifest lines first, because one of them can be the entry of
 * this task. The entry decides the task's outcome, even if the task was never spawned.
 */
export const finishTask = async (
  context: Context,
  id: string,
  options: FinishOptions = {},
): Promise<Result<FinishedTask, FinishCode>> => {
  const { spawn, replaced, known } = options
  const last = await spawnOf(context, id, spawn)
  const needed = await mergeNeeded(context, last)
  // `mergeNeeded` reads the commit to record. Start the git processes of the check only after that. If they started
  // earlier, the agent could commit in between. That commit would be recorded but not checked.
  const started = last !== undefined && !known && !('ok' in needed) && (await startGitNow(context, id, last))
  const warnings =
    known || !mayHaveLines(context) ? [] : await (await import('../manifest/ingest.ts')).tryIngest(context)
  if ('ok' in needed) return needed
  const finished = await withContractCheck<FinishedTask, FinishCode>(
    context,
    id,
    (tx, permits) => finishIn(tx, permits, context, id, needed, options),
    { ...(replaced && { attempt: spawn }), ...(known && { own: known }), ...(started && { started }) },
  )
  if (finished.ok && finished.value.merge && !finished.value.noChange) await keepOutputOf(context, last!)
  return warnings.length > 0
    ? { ...finished, warnings: [...warnings, ...(finished.warnings ?? [])] }
    : finished
}

export const spawnOf = async ({ store }: Context, id: string, given?: string): Promise<string | undefined> =>
  given ?? (await spawns.lastAttempt(store, id))?.id

const startGitNow = async (context: Context, id: string, spawn: string) => {
  const { startGit } = await import('../standing/start-git.ts')
  return startGit(context, id, spawn)
}

export const finishIn = async (
  tx: Write,
  permits: Permits,
  context: Context,
  id: string,
  needed: MergeNeeded,
  { spawn, replaced, alongside }: FinishOptions,
): Promise<Result<FinishedTask, FinishCode>> => {
  const owner = spawn === undefined ? context.actor : { id: spawn, agent: true }
  const task = await tasks.find(tx.db, id)
  if (!task) return fail('task.not_found', { id })
  const outcome = task.outcome ?? 'complete'
  if (task.status === 'done') {
    const waits = task.merge === 'pending' && { merge: task.merge }
    return ok({ outcome, unblocked: [], completed: [], ...waits, noChange: true as const })
  }
  const splitting = await splittingSpawn(tx.db, task, owner.id)
  const unmet =
    // Report a lost claim before all other problems.
    (replaced ? undefined : await claimedByOther(tx, id, owner)) ??
    (spawn === undefined ? await heldForAgents(context, tx.db, task) : undefined) ??
    (await lostClaim(tx.db, id, tx.actor.id)) ??
    (await unfinished(tx, task, splitting !== undefined))
  if (unmet) return unmet
  await refuseForeignTask(tx, task, 'complete')
  return splitting
    ? releaseSplit(tx, task, splitting, { permits, alongside })
    : makeDone(tx, task, { permits, alongside, ...needed })
}

/** Keeps a copy of the output file, because the agent can delete its worktree before its work is received. */
export const keepOutputOf = async (context: Context, spawn: string): Promise<void> =>
  (await import('../worktrees/restore.ts')).keepOutput(context, spawn)

/**
 * Returns the decomposition spawn that has split this task. Finishing a split task ends only this spawn, and the task
 * stays open until its last child is done. After this spawn has ended, returns undefined, so that `complete` is refused
 * because of the open children. But if the caller (`owner`) is this spawn, it can repeat its `complete`.
 */
const splittingSpawn = async (db: Db, task: TaskRow, owner: string): Promise<SpawnWork | undefined> => {
  const { id, type, status, children } = task
  // No query is needed for most tasks, because they have no children.
  if (type === 'subtask' || (children === 0 && type !== 'epic')) return undefined
  const last = (await spawns.latestWork(db, [id])).get(id)
  if (last?.protocol !== 'decomposition') return undefined
  if (last.id !== owner && last.back_at !== null && status === 'pending') return undefined
  return (await isContainer(db, task)) ? last : undefined
}

/** Sets a split task back to pending and ends its spawn. The task becomes done when its last child is done. */
const releaseSplit = async (
  tx: Write,
  task: TaskRow,
  { back_at }: SpawnWork,
  { permits, alongside }: Finishing,
): Promise<Result<FinishedTask, FinishCode>> => {
  const permission = await permits.of(tx, task)
  if (!permission.may) return permission.failure
  await alongside?.(tx)
  const noChange = task.status === 'pending' && back_at !== null
  if (!noChange) {
    await transition(tx, task, { to: 'pending' })
    await spawns.markAllReturned(tx.db, task.id, tx.now)
  }
  const { outcome } = permission.permit
  return ok(
    { outcome, unblocked: [], completed: [], split: true as const, ...(noChange && { noChange }) },
    { warnings: permission.warnings },
  )
}

interface Finishing extends Pick<FinishOptions, 'alongside'> {
  permits: Permits
  merge?: Merge
  submitted?: SubmittedCommit
}

export type MergeNeeded = Pick<Finishing, 'merge' | 'submitted'>

/**
 * Returns whether the work of a spawn is on a branch that has to be merged. A spawn without commits has nothing to
 * merge. Refuses if the worktree is on another branch, because in that case the evidence is about other commits. Also
 * returns the commit to record, because the agent can move its branch until the work is received.
 */
export const mergeNeeded = async (
  { store, host }: Context,
  spawn: string | undefined,
): Promise<MergeNeeded | Failure<'worktree.elsewhere'>> => {
  const worktree = spawn === undefined ? undefined : await worktrees.worktree(store, spawn)
  if (!worktree?.branch) return { merge: 'none' }
  const { folder, branch, base } = worktree
  // Do not ask git if the folder has lost its `.git` file: git would use a repository in a folder above.
  const head = host.files.kind(`${folder}/.git`) === 'file' ? await headOf(host, folder) : undefined
  if (!head) return { merge: 'pending' }
  const on = (await branchOf(host, folder)) ?? null
  if (on !== branch) return fail('worktree.elsewhere', { spawn: worktree.spawn, folder, branch, on })
  return head === base ? { merge: 'none' } : { merge: 'pending', submitted: { spawn: worktree.spawn, head } }
}

const makeDone = async (
  tx: Write,
  task: TaskRow,
  { permits, alongside, merge, submitted }: Finishing,
): Promise<Result<FinishedTask, FinishCode>> => {
  const votes = task.stage === 'consensus' ? permits.votes() : undefined
  const permission = await permits.of(tx, task)
  if (!permission.may) return permission.failure
  const unvoted = await votes?.refuseUnspawnedVoter(tx, task)
  if (unvoted) return unvoted
  await alongside?.(tx)
  const { permit } = await withChildren(tx, task, permission.permit)
  const unblocked = await transition(tx, task, { to: 'done', permit, merge, submitted })
  const settled = (await votes?.settleRound(tx, task)) ?? []
  const waits = merge === 'pending'
  const above = waits ? undefined : await completeParents(tx, task, unblocked, permits)
  const { completed, warnings } = above ?? { completed: [], warnings: [] }
  return ok(
    { outcome: permit.outcome, unblocked, completed, ...(waits && { merge: 'pending' as const }) },
    { warnings: [...permission.warnings, ...settled, ...warnings] },
  )
}

/** A task with a partial child is partial too. Otherwise its outcome would hide that work was left open. */
const withChildren = async (
  { db }: Write,
  { id, children }: TaskRow,
  permit: Permit,
): Promise<{ permit: Permit; left?: string }> => {
  const left = children > 0 ? await merges.partialChild(db, id) : undefined
  return left === undefined ? { permit } : { permit: { ...permit, outcome: 'partial' }, left }
}

/** Returns why a task cannot be completed yet, even if its contract holds. */
const unfinished = async ({ db }: Write, task: TaskRow, isSplit: boolean) => {
  const { id, status } = task
  if (status === 'blocked' || status === 'cancelled')
    return fail('task.status', { id, status, verb: 'complete' })
  const waits = task.blockers > 0 ? await tasks.openNeeds(db, id) : []
  if (waits.length > 0) return fail('dependency.open', { id, on: waits })
  const open = task.children > 0 && !isSplit ? await tasks.openChildren(db, id) : []
  return open.length > 0 ? fail('children.open', { id, open }) : undefined
}

/**
 * Completes a parent when its last open child is closed. The parent stays open if it must be completed manually, has
 * open dependencies, or is an epic before its last stage. The parent stays open with a warning in two cases: it was
 * spawned itself and its contract does not hold, or its voters did not decide its question.
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
    const permission = permit ? withPermit(permit) : await permits.of(write, parent, { closing: true })
    if (!permission.may) {
      const { problems, message } = permission.failure
      const missing = problems?.map(({ path }) => path).join(', ') ?? message
      done.warnings.push(
        `${parent.id} stays open although its last child is done; missing: ${missing} (cleo complete ${parent.id})`,
      )
      break
    }
    const { permit: allowed, left } = await withChildren(write, parent, permission.permit)
    // The work of a parent is the work of its children. So the parent counts as merged if a child was merged.
    const merge = (await merges.hasMergedChild(write.db, parent.id)) ? 'merged' : 'none'
    unblocked.push(...(await transition(write, parent, { to: 'done', permit: allowed, merge })))
    done.completed.push(parent.id)
    if (left) done.warnings.push(`${parent.id} is done in part: ${left} left work open`)
    done.warnings.push(...permission.warnings.map((warning) => `${parent.id}: ${warning}`))
    child = parent
  }
  return done
}

/**
 * Whether the parent must stay open. Checks the same conditions as `unfinished`, but builds no refusal: after most
 * completions the parent stays open, and the refusal would not be used.
 */
const isStillOpen = async ({ db }: Write, { id, status, blockers, children }: TaskRow): Promise<boolean> =>
  status === 'blocked' ||
  status === 'cancelled' ||
  blockers > 0 ||
  (children > 0 && (await tasks.openChildren(db, id, 1)).length > 0)

const lastStages: (string | null)[] = [null, 'release', 'contribution']
const closesItself = ({ completes, type, stage }: TaskRow): boolean =>
  completes === 'auto' && (type !== 'epic' || lastStages.includes(stage))
