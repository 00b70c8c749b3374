import { withContractCheck } from '../completion/contract-check.ts'
import { completeParents } from '../completion/finish.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { endMerge } from '../tasks/sql/merges.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Integration, lastLine, refOf, writerFor } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { MergeStep } from './stack.ts'

/** The effects of a merge on the task graph. */
export interface Moved {
  unblocked: string[]
  /** Parents that were completed. */
  completed: string[]
  warnings: string[]
}

type NewMerge = Omit<worktrees.MergeRow, 'seq' | 'state' | 'actor' | 'at'>

/**
 * Moves the integration branch to the commit of the last step. Returns undefined if another process has moved the
 * branch meanwhile. The planned move is recorded first. After a crash, the position of the branch shows whether the
 * move was made.
 */
export const moveBranch = async (
  context: Context,
  { git, epic, branch, tip: base }: Integration,
  steps: readonly MergeStep[],
  report: object,
): Promise<Result<Moved | undefined, 'task.changed' | 'merge.failed'>> => {
  const tip = steps.at(-1)!.commit
  // A killed process may have moved the branch without recording the move. Record that move first, so that the moves
  // stay in order.
  await settleMoves(context, epic)
  const merges = steps.map(({ work: { spawn, task, head } }) => ({
    ...{ spawn: spawn.id, task: task.id, epic, head, base, tip },
    report: JSON.stringify(report),
  }))
  await context.write(async (tx) => {
    for (const merge of merges)
      await worktrees.addMerge(tx.db, { ...merge, state: 'moving', actor: tx.actor.id, at: tx.now })
    return ok(undefined)
  })
  const move = tip === base ? undefined : await git.moveRef(refOf(branch), tip, base)
  if (!move || move.ok) return finishMove(context, epic, tip, merges)
  const is = await git.commit(refOf(branch))
  // Two processes can merge the same work in the same second. Both then make the same commit. If the branch is at
  // that commit, the other process moved it.
  if (is === tip) return finishMove(context, epic, tip, merges)
  await context.write(async (tx) => {
    await worktrees.endMoves(tx.db, epic, tip)
    return ok(undefined)
  })
  // If the branch is still at `base`, git could not write the branch. Another try would fail too.
  return is === base
    ? fail('merge.failed', { task: steps[0]!.work.task.id, into: branch, why: lastLine(move.errors) })
    : ok(undefined)
}

/**
 * Marks the tasks of a move as merged, and completes parents that waited only for these tasks. Does nothing if another
 * process has already done this.
 */
const finishMove = (
  context: Context,
  epic: string,
  tip: string,
  merges: readonly NewMerge[],
): Promise<Result<Moved, 'task.changed'>> =>
  withContractCheck<Moved, never>(context, epic, async (tx, permits) => {
    const moved: Moved = { unblocked: [], completed: [], warnings: [] }
    await worktrees.endMoves(tx.db, epic, tip)
    await worktrees.setTip(tx.db, epic, { from: merges[0]!.base, to: tip })
    for (const { task: id, spawn, head, base, report } of merges) {
      const task = await tasks.find(tx.db, id)
      if (task?.status !== 'done' || task.merge !== 'pending') continue
      const merge = { spawn, task: id, epic, head, base, tip, report }
      await worktrees.addMerge(tx.db, { ...merge, state: 'merged', actor: tx.actor.id, at: tx.now })
      moved.unblocked.push(...(await endMerge(tx.db, id, 'merged', tx.now)))
      await tx.record({
        task: id,
        before: { merge: 'pending' },
        after: { merge: 'merged', spawn, head, into: tip },
      })
      tx.emit('task.merged', id, { spawn })
      const above = await completeParents(tx, task, moved.unblocked, permits)
      moved.completed.push(...above.completed)
      moved.warnings.push(...above.warnings)
    }
    return ok(moved)
  })

/**
 * Finishes a move whose process was killed after it had moved the branch. If the branch is not at the recorded commit,
 * the process was killed before it moved the branch. Such a move is ignored.
 */
export const settleMoves = async (context: Context, epic: string): Promise<void> => {
  const moves = await worktrees.movesOf(context.store, epic)
  const row = moves.length > 0 ? await worktrees.integration(context.store, epic) : undefined
  if (!row || context.dryRun) return
  const tip = await writerFor(context).commit(refOf(row.branch))
  const done = moves.filter((move) => move.tip === tip)
  if (tip !== undefined && done.length > 0) await finishMove(context, epic, tip, done)
}
