import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { GitWriter } from '../git/git-writer.ts'
import type { Context } from '../operation/context.ts'
import { isHeld } from '../standing/missing-requirements.ts'
import { standingOf } from '../standing/standing.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { writerFor } from '../worktrees/integration.ts'
import { removeMerged, removeWorktree } from '../worktrees/remove.ts'
import * as worktrees from '../worktrees/sql.ts'
import { bringOutput } from './bring-output.ts'
import { type MergeResult, mergeWorks } from './merge-works.ts'
import { removeLeftovers, removeMergedTrees } from './remove-leftovers.ts'
import { headsOfBranches, type Work, workOf } from './work.ts'

/**
 * Merges the work of received spawns that had worktrees. All works of one epic are merged together, in the given
 * order. If a work is not merged now, only its output is copied into the project. Returns a result for each spawn
 * that had something to merge.
 */
export const mergeReturned = async (
  context: Context,
  received: readonly { task: string; spawn: SpawnRow }[],
): Promise<Map<string, MergeResult>> => {
  const results = new Map<string, MergeResult>()
  const git = writerFor(context)
  await removeLeftovers(context)
  const heads = received.length > 1 ? await headsOfBranches(git) : undefined
  const byEpic = new Map<string, Work[]>()
  for (const { task: id, spawn } of received) {
    const task = await tasks.find(context.store, id)
    if (task?.merge === 'merged') await removeMergedTrees(context, git, task.root)
    if (task?.status !== 'done' || task.merge !== 'pending' || !(await mayBeMerged(context, id))) {
      await bringUnmerged(context, spawn, task)
      continue
    }
    const work = await workOf(context, git, { task, spawn, heads })
    if (!work) continue
    if ('ok' in work) results.set(spawn.id, work)
    else byEpic.set(task.root, [...(byEpic.get(task.root) ?? []), work])
  }
  for (const [epic, works] of byEpic)
    for (const [spawn, result] of await mergeWorks(context, epic, works)) results.set(spawn, result)
  for (const { task, spawn } of received)
    if (results.get(spawn.id)?.ok) await removeOthers(context, git, task, spawn.id)
  return results
}

/** Saves and removes the worktrees of a task's other attempts, once the work of one attempt is merged. */
const removeOthers = async (
  context: Context,
  git: GitWriter,
  task: string,
  merged: string,
): Promise<void> => {
  for (const row of await worktrees.worktreesOf(context.store, task))
    if (row.spawn !== merged && row.state !== 'gone') await removeWorktree(context, git, row)
}

/**
 * Handles work that is not merged now: copies only its output into the project. If the task has nothing to merge, also
 * removes the worktree.
 */
const bringUnmerged = async (context: Context, spawn: SpawnRow, task: TaskRow | undefined): Promise<void> => {
  const worktree = await worktrees.worktree(context.store, spawn.id)
  if (!worktree || worktree.state === 'gone' || context.dryRun) return
  await bringOutput(context, spawn)
  if (task?.status !== 'done' || task.merge !== 'none') return
  await removeMerged(context, writerFor(context), spawn.id, worktree.base)
}

/**
 * Partial work may be merged only if its required gates hold. Otherwise it stays on its own branch, and the follow-up
 * tasks start from that branch.
 */
const mayBeMerged = async (context: Context, id: string): Promise<boolean> => {
  const { entry, gates } = await standingOf(context, id, { recheck: false })
  return entry?.status !== 'partial' || gates.every((gate) => !gate.required || isHeld(gate))
}
