import { quietMinutes, quietSince } from '../claims/quiet.ts'
import { optionsOf, timesOf } from '../claims/sql/spawns.ts'
import { branchOf } from '../host/repository.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Task } from '../tasks/task-shape.ts'

/** Describes the spawn that a task is out with: its folder, when it was spawned, and how long it has been quiet. */
export const spawnOut = async (
  { store, host, config, root }: Pick<Context, 'store' | 'host' | 'config' | 'root'>,
  { id, attempt_out }: TaskRow,
): Promise<Task['spawn']> => {
  const spawn = await timesOf(store, id, attempt_out)
  if (!spawn) return undefined
  const worktree = optionsOf(spawn)?.worktree
  const branch = worktree && (await branchOf(host, worktree))
  const now = await store.now()
  const since = await quietSince({ host, config }, spawn, now)
  return {
    id: spawn.id,
    folder: worktree ?? root,
    ...(branch && { branch }),
    since: iso(spawn.at),
    ...(spawn.started_at === null && { unstarted: true as const }),
    ...(spawn.back_at !== null && { refused: true as const }),
    ...(since !== undefined && { quietSince: iso(since), quietFor: quietMinutes(since, now) }),
  }
}
