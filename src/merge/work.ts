import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as merges from '../tasks/sql/merges.ts'
import { branchOfSpawn, refOf } from '../worktrees/integration.ts'
import { savedHead } from '../worktrees/restore.ts'
import * as worktrees from '../worktrees/sql.ts'

/** The work of one spawn that waits to be merged. */
export interface Work {
  task: TaskRow
  spawn: SpawnRow
  worktree: worktrees.WorktreeRow
  /** The commit that was proved: the spawn's last commit when the task became done. */
  head: string
  /** The current commit of the branch; undefined if the branch is still at `head`. */
  moved?: string
}

/**
 * Returns undefined if the spawn has no branch to merge. The work is the commit at which the task became done, because
 * only that commit was proved. Later commits on the branch do not belong to the work.
 */
export const workOf = async (
  { store }: Context,
  git: GitWriter,
  { task, spawn, heads }: { task: TaskRow; spawn: SpawnRow; heads?: ReadonlyMap<string, string> },
): Promise<Work | Failure<'merge.lost'> | undefined> => {
  const worktree = await worktrees.worktree(store, spawn.id)
  if (!worktree?.branch) return undefined
  const last = heads?.get(worktree.branch) ?? (await headOfSpawn(git, spawn.id))
  const submitted = await merges.submittedCommit(store, task.id)
  const proved = submitted?.spawn === spawn.id ? submitted.head : last
  const head = proved === last ? last : proved && (await git.commit(proved))
  return head === undefined
    ? fail('merge.lost', { task: task.id, spawn: spawn.id, branch: worktree.branch })
    : { task, spawn, worktree, head, ...(last && last !== head && { moved: last }) }
}

/** Uses one process for all branches. */
export const headsOfBranches = async (git: GitWriter): Promise<Map<string, string>> => {
  const listed = await git.run(['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', refOf('cleo/')])
  return new Map(
    listed.text.split('\n').flatMap((line) => {
      const [head, branch] = line.split(' ')
      return head && branch ? [[branch, head] as const] : []
    }),
  )
}

export const headOfSpawn = async (git: GitWriter, spawn: string): Promise<string | undefined> =>
  (await git.commit(refOf(branchOfSpawn(spawn)))) ?? savedHead(git, spawn)
