import { hasOwnPrograms } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { branchOf, linkedWorktree } from '../git/repository.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { uncommittedIn } from './condition.ts'
import { branchOfSpawn, type Integration } from './integration.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

interface Adoption {
  spawn: string
  integration: Integration
  /** A folder inside the worktree. */
  folder: string
}

/**
 * Adopts a worktree that an agent client made: switches the worktree to the spawn's branch. The new branch starts at
 * the tip of the integration branch, or at HEAD if HEAD already contains that tip. Refuses these worktrees:
 * - one with uncommitted work
 * - one that has commits of its own and lacks the tip
 * - one that is on the user's branch or on the integration branch
 * - one that belongs to the agent of another task
 */
export const adoptWorktree = async (
  context: Context,
  { spawn, integration, folder }: Adoption,
): Promise<Result<WorktreeRow, 'worktree.invalid'>> => {
  const { git, epic, tip } = integration
  const linked = await linkedWorktree(context.host, folder)
  if (linked?.main !== git.top)
    return refuse(
      folder,
      `it is not a git worktree of ${git.top}`,
      `git -C ${shellQuote(git.top)} worktree list`,
    )
  const { top } = linked
  const other = (await worktrees.worktrees(context.store)).find(
    (row) => row.folder === top && row.task !== parseSpawnId(spawn)!.task,
  )
  if (other) return refuse(top, `it is the worktree of ${other.spawn}`, 'cleo worktree list')
  const inTop = (args: readonly string[]) =>
    git.run([`--git-dir=${top}/.git`, `--work-tree=${top}`, ...args], { folder: top })
  const problem = await problemOf(context, integration, top, inTop)
  if (problem) return problem
  const head = (await inTop(['rev-parse', 'HEAD'])).text.trim()
  const from = (await git.isAncestor(tip, head)) ? head : tip
  const branch = branchOfSpawn(spawn)
  // If an earlier process switched the worktree and was then killed, the worktree is already on the branch. In this
  // case, only fast-forward the branch.
  const isOn = (await branchOf(context.host, top)) === branch
  const switched = await inTop(
    isOn
      ? ['merge', '--quiet', '--ff-only', from]
      : ['checkout', '--quiet', '--no-track', '-b', branch, from],
  )
  if (!switched.ok) return refuse(top, switched.errors.replace(/\.$/, ''), `git -C ${shellQuote(top)} status`)
  const row = await context.write(async (tx) => {
    const { task } = parseSpawnId(spawn)!
    const made = {
      spawn,
      task,
      epic,
      folder: top,
      branch,
      base: tip,
      made_by: 'client' as const,
      port_base: 0,
    }
    const reserved = await worktrees.reserve(tx.db, { ...made, at: tx.now })
    await worktrees.setState(tx.db, spawn, 'there')
    return ok(reserved)
  })
  return ok({ ...row.value, state: 'there' })
}

const refuse = (folder: string, why: string, fix: string): Failure<'worktree.invalid'> =>
  fail('worktree.invalid', { folder, why, fix })

const problemOf = async (
  { host }: Context,
  { git, tip, branch: base, onto }: Integration,
  top: string,
  inTop: GitWriter['run'],
): Promise<Failure<'worktree.invalid'> | undefined> => {
  const quoted = shellQuote(top)
  if (await hasOwnPrograms(host, top))
    return refuse(top, 'its own git settings can start programs', `git -C ${quoted} config --worktree --list`)
  if ((await uncommittedIn(host, top)).length > 0)
    return refuse(top, 'it has uncommitted changes', `git -C ${quoted} status`)
  const on = await branchOf(host, top)
  if (on !== undefined && (on === onto || on === base))
    return refuse(top, `it is on ${on}, which is not a branch of its own`, `git -C ${quoted} switch --detach`)
  const head = (await inTop(['rev-parse', '--verify', 'HEAD^{commit}'])).text.trim()
  if ((await git.isAncestor(head, tip)) || (await git.isAncestor(tip, head))) return undefined
  return refuse(
    top,
    `it does not contain ${base}, and has commits of its own`,
    `git -C ${quoted} merge ${base}`,
  )
}
