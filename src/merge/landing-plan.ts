import type { SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { BringCode } from '../worktrees/codes.ts'
import type { Integration } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'
import { type CheckedTree, checkTree } from './check-tree.ts'

export interface LandingTask extends Pick<TaskRow, 'id' | 'title'> {
  findings: string[]
  /** For a release, the git tag from its manifest entry. */
  tag?: string
}

/**
 * Returns the tasks whose merged work has not landed yet. Leaves out parents, because their work is the work of
 * their children.
 */
export const landingTasks = async ({ store }: Context, epic: string): Promise<LandingTask[]> => {
  const found: LandingTask[] = []
  for (const { id, title } of await merges.toLand(store, epic)) {
    const merge = await worktrees.lastMerge(store, id)
    if (!merge) continue
    const spawn = await spawns.find(store, merge.spawn)
    const entry = await entries.ofSpawn(store, merge.spawn)
    const { key_findings: findings, tag } = entry ? (JSON.parse(entry.body) as EntryText) : {}
    const isRelease = spawn?.protocol === 'release'
    found.push({ id, title, findings: findings ?? [], ...(isRelease && tag && { tag }) })
  }
  return found
}

interface EntryText {
  key_findings?: string[]
  tag?: string
}

export type LandingKind = 'fast-forward' | 'merge' | 'squash' | 'contained'

/** The result of merging two branches, without a checkout and without moving a branch. */
export interface Together {
  kind: LandingKind
  tree: string
  /** The parents of the commit to make. Empty if no commit has to be made, for example for a fast-forward. */
  parents: string[]
  /** An existing commit that already is the result; undefined if a commit has to be made. */
  commit?: string
}

/**
 * Merges `theirs` into `ours`. Returns `contained` if `ours` already has all changes of `theirs`, for example after
 * a squash or a rebase.
 */
export const bringTogether = async (
  { git, epic, branch }: Integration,
  { ours, theirs, onto }: { ours: string; theirs: string; onto: string },
  squash: boolean,
): Promise<Result<Together, BringCode>> => {
  const treeOf = async (commit: string) => (await git.run(['rev-parse', `${commit}^{tree}`])).text.trim()
  const before = await treeOf(ours)
  if (await git.isAncestor(theirs, ours))
    return ok({ kind: 'contained', tree: before, parents: [], commit: ours })
  const isForward = await git.isAncestor(ours, theirs)
  const tree = await treeOf(theirs)
  if (isForward && !squash) return ok({ kind: 'fast-forward', tree, parents: [], commit: theirs })
  const merged = isForward ? { state: 'clean' as const, tree } : await git.mergeTrees(ours, theirs)
  if (merged.state === 'conflict') return fail('land.conflict', { branch, onto, epic, files: merged.files })
  if (merged.state === 'failed') return fail('land.failed', { branch, onto, why: merged.errors })
  if (merged.tree === before) return ok({ kind: 'contained', tree: before, parents: [], commit: ours })
  return ok({
    kind: squash ? 'squash' : 'merge',
    tree: merged.tree,
    parents: squash ? [ours] : [ours, theirs],
  })
}

/** If the commit does not exist yet, makes it. */
export const commitOf = async (
  { git, branch }: Integration,
  { commit, tree, parents }: Together,
  onto: string,
  message: string,
): Promise<string | Failure<BringCode>> => {
  if (commit !== undefined) return commit
  const made = await git.commitTree(tree, parents, message)
  return made.ok ? made.text.trim() : fail('land.failed', { branch, onto, why: made.errors })
}

export const checkLanding = async (
  context: Context,
  { git, epic, branch }: Integration,
  commit: string,
  onto: string,
): Promise<Result<CheckedTree, BringCode>> => {
  const checked = await checkTree(context, git, {
    commit,
    works: await provedWorks(context, epic),
    again: true,
  })
  if ('failed' in checked) return fail('land.failed', { branch, onto, why: checked.failed })
  if (!checked.red) return ok(checked)
  const { tool, why } = checked.red
  return fail('land.red', { branch, onto, epic, problems: [{ path: `tool:${tool}`, message: why }] })
}

/** The newest work is last. */
const provedWorks = async (
  { store }: Context,
  epic: string,
): Promise<{ task: TaskRow; spawn: SpawnRow }[]> => {
  const works = new Map<string, { task: TaskRow; spawn: SpawnRow }>()
  for (const { task: id, spawn: by } of await worktrees.mergesOf(store, epic)) {
    const task = await tasks.find(store, id)
    const spawn = await spawns.find(store, by)
    if (task?.merge === 'merged' && spawn) works.set(id, { task, spawn })
  }
  return [...works.values()]
}
