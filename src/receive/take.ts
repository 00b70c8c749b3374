import * as returns from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { finishCodes, finishTask } from '../completion/finish.ts'
import { brief } from '../kernel/print/brief.ts'
import { type Failure, fail, type Ok, ok, type Result } from '../kernel/result.ts'
import type { Returned } from '../kernel/return-line.ts'
import { limits } from '../kernel/task.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { readySet } from '../tasks/ready-set.ts'
import * as counts from '../tasks/sql/counts.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { heldByOther, transition } from '../tasks/transition.ts'
import { type Answer, fewOf } from './answer.ts'
import type { FollowedUp } from './follow-ups.ts'
import { giveBack } from './give-back.ts'
import { fileMissing, type Handed, handedIn } from './judge.ts'

const codes = [...finishCodes, 'manifest.missing', 'output.missing', 'return.status'] as const
type Code = (typeof codes)[number]
/** Each once: completing answers some of them as well. */
export const takeCodes: readonly Code[] = [...new Set(codes)]

interface Returning {
  task: TaskRow
  spawn: SpawnRow
  said: Returned
  followUps: boolean
}

/** Takes a result that came back under one of the allowed lines: what was handed in decides, never the line alone. */
export const takeResult = async (context: Context, returning: Returning): Promise<Result<Answer, Code>> => {
  const { task, spawn, said } = returning
  if (task.status === 'cancelled')
    return fail('task.status', { id: task.id, status: task.status, verb: 'receive' })
  const found = await handedIn(context, spawn, said)
  if ('ok' in found) return found
  const ended = await end(context, returning)
  if (!ended.ok) return ended
  const kept = await keep(context, returning, found.handed)
  if (!kept.ok) return kept
  const warnings = [
    ...found.warnings,
    ...(ended.warnings ?? []),
    ...kept.value.warnings,
    ...(kept.warnings ?? []),
  ]
  return ok(await answer(context, returning, ended.value, kept.value, found.handed), { warnings })
}

/** Completes the task, unless its subagent has done so, it is blocked, or it ends with its parts. Answers what became ready. */
const end = async (context: Context, { task, spawn, said }: Returning): Promise<Result<string[], Code>> => {
  if (said !== 'blocked' && task.status !== 'done' && task.type !== 'epic') {
    const finished = await finishTask(context, task.id, spawn.id)
    return finished.ok ? ok(finished.value.unblocked, { warnings: finished.warnings }) : finished
  }
  const missing = await fileMissing(context, spawn)
  if (missing) return missing
  if (said === 'blocked' && task.status === 'done')
    return fail('task.status', { id: task.id, status: task.status, verb: 'receive' })
  return ok(task.status === 'done' ? await counts.readyDependents(context.store, task.id, 100) : [])
}

/** What is left to write down: the blocker, the link, what is to follow, and that it was received. */
const keep = async (
  context: Context,
  { task, spawn, said, followUps }: Returning,
  handed: Handed,
): Promise<Result<FollowedUp, 'claim.held'>> => {
  const { followUp } = followUps ? await import('./follow-ups.ts') : {}
  return context.write(async (tx): Promise<Ok<FollowedUp> | Failure<'claim.held'>> => {
    const held = said === 'blocked' ? await block(tx, spawn, handed) : undefined
    if (held) return held
    if (task.type === 'epic') await giveBack(tx, task.id, spawn.id)
    await links.add(tx.db, { task: task.id, entry: handed.id, at: tx.now, actor: tx.actor.id })
    const followed = followUp
      ? await followUp(tx, { task, spawn: spawn.id, entry: handed })
      : { made: [], linked: [], warnings: [] }
    const receipt: returns.Receipt = {
      spawn: spawn.id,
      returned: said,
      entry: handed.id,
      ...(followUps && { made: followed.made }),
    }
    await returns.add(tx.db, receipt, { task: task.id, at: tx.now, actor: tx.actor.id })
    await tx.record({ task: task.id, after: receipt })
    return ok(followed)
  })
}

const block = async (
  tx: Write,
  { id, task }: SpawnRow,
  handed: Handed,
): Promise<Failure<'claim.held'> | undefined> => {
  const row = (await tasks.find(tx.db, task))!
  if (row.status !== 'pending' && row.status !== 'active') return undefined
  const held = await heldByOther(tx, task, { id, agent: true })
  if (held) return held
  await transition(tx, row, {
    to: 'blocked',
    reason: blockerOf(handed).slice(0, limits.reason).toWellFormed(),
  })
  return undefined
}

const blockerOf = ({ id, body }: Handed): string => {
  const { category, text } = (body['blocker'] ?? {}) as { category?: unknown; text?: unknown }
  const words = [category, text].filter((word) => typeof word === 'string' && word.trim() !== '')
  return words.join(': ') || `see ${id}`
}

const answer = async (
  { store }: Context,
  { task, said }: Returning,
  unblocked: readonly string[],
  { made }: FollowedUp,
  handed: Handed,
): Promise<Answer> => {
  const { chosen } = await readySet(store, { root: task.root, limit: 1, shared: false, skip: 0 })
  const next = chosen[0]?.id
  const ready = fewOf(unblocked)
  const followUps = fewOf(made)
  return {
    taskId: task.id,
    outcome: said,
    unblocked: ready.few,
    ...(ready.more && { more: ready.more }),
    ...(said === 'blocked' && { why: brief(blockerOf(handed), 60) }),
    ...(next && { next }),
    ...(made.length > 0 && { followUps: followUps.few }),
    ...(followUps.more && { moreFollowUps: followUps.more }),
  }
}
