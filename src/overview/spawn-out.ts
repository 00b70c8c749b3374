import { quietMinutes, quietSince } from '../claims/quiet.ts'
import { summaryOf } from '../claims/sql/spawn-agents.ts'
import { optionsOf, timesOf } from '../claims/sql/spawns.ts'
import { branchOf, headOf } from '../git/repository.ts'
import type { Host } from '../host/host.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Task } from '../tasks/task-shape.ts'

/** Returns undefined if git cannot count the commits. */
const commitsAhead = async (host: Host, folder: string, from: string): Promise<number | undefined> => {
  // `headOf` only reads a file. If the worktree is still at `from`, nothing was committed, and git need not be
  // started.
  if ((await headOf(host, folder)) === from) return 0
  const { gitRunnerAt } = await import('../git/run-git.ts')
  const count = await gitRunnerAt(host, folder)?.run(['rev-list', '--count', `${from}..HEAD`])
  return count === undefined ? undefined : Number(count)
}

export const spawnOut = async (
  { store, host, config, root }: Pick<Context, 'store' | 'host' | 'config' | 'root'>,
  { id, attempt_out }: TaskRow,
): Promise<Task['spawn']> => {
  const spawn = await timesOf(store, id, attempt_out)
  if (!spawn) return undefined
  const { worktree, tree } = optionsOf(spawn) ?? {}
  const branch = worktree && (await branchOf(host, worktree))
  const commits = worktree && tree?.commit ? await commitsAhead(host, worktree, tree.commit) : undefined
  const now = await store.now()
  const since = await quietSince({ host, config }, spawn, now)
  return {
    id: spawn.id,
    folder: worktree ?? root,
    ...(branch && { branch }),
    ...(commits !== undefined && { commits }),
    since: iso(spawn.at),
    ...(spawn.started_at === null && { unstarted: true as const }),
    ...(spawn.back_at !== null && { refused: true as const }),
    ...(since !== undefined && { quietSince: iso(since), quietFor: quietMinutes(since, now) }),
    ...summaryOf(spawn),
  }
}
