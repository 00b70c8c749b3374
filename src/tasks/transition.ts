import * as claims from '../claims/sql/claims.ts'
import * as focus from '../claims/sql/focus.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Actor } from '../kernel/actor.ts'
import type { HookEvent } from '../kernel/config-words.ts'
import { type Failure, fail, refuse } from '../kernel/result.ts'
import type { Merge, Status } from '../kernel/task.ts'
import { isSpawnOf, parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from './sql/tasks.ts'

const events: Partial<Record<Status, HookEvent>> = {
  active: 'task.started',
  done: 'task.completed',
  blocked: 'task.blocked',
  cancelled: 'task.cancelled',
}

/**
 * No task becomes done without a permit. A permit is issued for one task, after the task's contract was checked. In the
 * transaction that changes the status, CLEO first checks that the permit still holds.
 */
export interface Permit {
  readonly task: string
  readonly outcome: 'complete' | 'partial'
  /**
   * Returns false if the task was changed, or got new evidence, a new spawn or a new entry, after the permit was
   * issued.
   */
  holds(db: Db, task: TaskRow): Promise<boolean>
}

export type StatusMove = {
  reason?: string
  event?: HookEvent
  merge?: Merge
  submitted?: SubmittedCommit
} & ({ to: Exclude<Status, 'done'>; permit?: undefined } | { to: 'done'; permit: Permit })

/** The commit with which a task became done. Later commits on the same branch were not proved. */
export interface SubmittedCommit {
  spawn: string
  head: string
}

/** Changes a task's status, claim and focus, and emits the event. Returns the tasks that became ready. */
export const transition = async (write: Write, task: TaskRow, move: StatusMove): Promise<string[]> => {
  const { to, reason, permit, merge, submitted } = move
  if (to === 'done' && !(permit?.task === task.id && (await permit.holds(write.db, task))))
    refuse('task.changed', { id: task.id })
  const outcome = permit?.outcome
  const unblocked = await tasks.changeStatus(write.db, task, { to, reason, outcome, merge, now: write.now })
  await write.record({
    task: task.id,
    before: { status: task.status, ...(task.reason && { reason: task.reason }) },
    after: {
      status: to,
      ...(reason && { reason }),
      ...(outcome && { outcome }),
      ...(merge && merge !== 'none' && { merge }),
      ...(submitted && { submitted }),
    },
  })
  if (to !== 'active') {
    await claims.revoke(write.db, task.id, write.actor.id)
    await claims.release(write.db, task.id)
    await focus.drop(write.db, task.id)
  }
  const event = move.event ?? events[to]
  if (event) write.emit(event, task.id)
  return unblocked
}

/**
 * Returns a refusal if the task belongs to another agent. The other agent either has an unexpired claim, or is a
 * spawn of the task.
 */
export const claimedByOther = async (
  { db, now }: Pick<Write, 'db' | 'now'>,
  id: string,
  actor: Actor,
): Promise<Failure<'claim.held'> | undefined> => {
  const claim = await claims.holder(db, id)
  if (!claim || claim.owner === actor.id) return undefined
  // A spawn that has claimed its task keeps it even after the lease ends.
  if (isSpawnOf(claim.owner, id)) return heldBySpawn(db, claim.owner, actor)
  if (claim.expires_at <= now) return undefined
  return fail('claim.held', { id, owner: claim.owner, expires: iso(claim.expires_at) })
}

export const heldBySpawn = async (db: Db, spawn: string, actor: Actor): Promise<Failure<'claim.held'>> => {
  const { task, attempt } = parseSpawnId(spawn)!
  const { at } = (await spawns.timesOf(db, task, attempt))!
  const caller = parseSpawnId(actor.id) && { actor: actor.id }
  return fail('claim.held', { id: task, owner: spawn, since: iso(at), ...caller })
}

/** Whether a task has a child that is open or waits for its merge. Also true for an epic without children. */
export const isContainer = async (
  db: Db,
  { id, type, children }: Pick<TaskRow, 'id' | 'type' | 'children'>,
): Promise<boolean> =>
  children === 0 ? type === 'epic' : type !== 'subtask' && (await tasks.openChildren(db, id, 1)).length > 0
