import { lostClaim } from '../claims/fence.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { keepOutput } from '../worktrees/restore.ts'

/**
 * Records that the agent of a run has submitted its work. The task stays active: the run proves the remaining gates
 * outside the sandbox of the agent, and completes the task when it receives the work.
 */
export const submitToRun = async (
  context: Context,
  task: string,
  spawn: string,
): Promise<Result<null, 'claim.lost' | 'task.changed'>> => {
  const submitted = await context.write<Result<null, 'claim.lost' | 'task.changed'>>(async (tx) => {
    const lost: Failure<'claim.lost'> | undefined = await lostClaim(tx.db, task, spawn)
    if (lost) return lost
    if ((await spawns.lastAttempt(tx.db, task))?.id !== spawn) return fail('task.changed', { id: task })
    await spawns.submit(tx.db, spawn, tx.now)
    await tx.record({ task, after: { submitted: spawn } })
    return ok(null)
  })
  // Keep a copy, because the agent can delete its worktree before its work is received.
  if (submitted.ok && !context.dryRun) await keepOutput(context, spawn)
  return submitted
}
