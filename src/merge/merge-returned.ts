import type { SpawnRow } from '../claims/sql/spawns.ts'
import { isHeld } from '../evidence/missing-requirements.ts'
import { standingOf } from '../evidence/standing.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { writerFor } from '../worktrees/integration.ts'
import { type MergeResult, mergeWorks } from './merge-works.ts'
import { type Work, workOf } from './work.ts'

/**
 * Merges the work of received spawns, as far as it waits for that: all works of an epic together, in the given order.
 * Returns the result for each spawn that had something to merge.
 */
export const mergeReturned = async (
  context: Context,
  received: readonly { task: string; spawn: SpawnRow }[],
): Promise<Map<string, MergeResult>> => {
  const results = new Map<string, MergeResult>()
  const git = writerFor(context)
  const byEpic = new Map<string, Work[]>()
  for (const { task: id, spawn } of received) {
    const task = await tasks.find(context.store, id)
    if (task?.status !== 'done' || task.merge !== 'pending' || !(await mayBeMerged(context, id))) continue
    const work = await workOf(context, git, task, spawn)
    if (!work) continue
    if ('ok' in work) results.set(spawn.id, work)
    else byEpic.set(task.root, [...(byEpic.get(task.root) ?? []), work])
  }
  for (const [epic, works] of byEpic)
    for (const [spawn, result] of await mergeWorks(context, epic, works)) results.set(spawn, result)
  return results
}

/** Partial work is merged only if its gates hold; otherwise its follow-ups start from its branch. */
const mayBeMerged = async (context: Context, id: string): Promise<boolean> => {
  const { entry, gates } = await standingOf(context, id, { recheck: false })
  return entry?.status !== 'partial' || gates.every((gate) => !gate.required || isHeld(gate))
}
