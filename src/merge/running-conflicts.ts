import { headOf } from '../git/repository.ts'
import type { Context } from '../operation/context.ts'
import { writerFor } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'

/** Two tasks whose branches cannot be merged with each other. */
export interface RunningConflict {
  tasks: string[]
  files: string[]
}

/** At most this many branches are compared, because comparing them means merging every pair. */
const mostBranches = 8
const mostFiles = 3

export const conflictsBetween = async (
  context: Context,
  spawns: readonly string[],
): Promise<RunningConflict[]> => {
  const rows = await worktrees.worktreesOfSpawns(context.store, spawns)
  const heads: { task: string; epic: string; head: string }[] = []
  for (const { task, epic, folder, branch, base } of rows.values()) {
    const head = branch === null || heads.length === mostBranches ? null : await headOf(context.host, folder)
    if (head && head !== base) heads.push({ task, epic, head })
  }
  const git = writerFor(context)
  const found: RunningConflict[] = []
  for (const [i, one] of heads.entries())
    for (const other of heads.slice(i + 1)) {
      if (one.epic !== other.epic) continue
      const merged = await git.mergeTrees(one.head, other.head)
      if (merged.state === 'conflict')
        found.push({ tasks: [one.task, other.task], files: merged.files.slice(0, mostFiles) })
    }
  return found
}
