import type { GitWriter } from '../host/git-writer.ts'
import { linkedWorktree } from '../host/repository.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { refOf } from './integration.ts'
import { worktreesFolder } from './place.ts'
import { removeWorktree } from './remove.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

/**
 * What is at the place of a worktree: a worktree of this repository, nothing, a folder that git does not know as a
 * worktree any more, or one whose link to the repository is broken.
 */
export type Condition = 'there' | 'missing' | 'emptied' | 'unlinked'

export const conditionOf = async ({ host }: Context, git: GitWriter, folder: string): Promise<Condition> => {
  const kind = host.files.kind(folder)
  if (kind === undefined) return 'missing'
  if (host.files.kind(`${folder}/.git`) !== 'file') return 'emptied'
  const linked = await linkedWorktree(host, folder)
  return linked?.top === folder && linked.main === git.top ? 'there' : 'unlinked'
}

/** Returns the files of a worktree that are in no commit; ignored files and output files are left out. */
export const uncommittedIn = async (git: GitWriter, folder: string): Promise<string[]> => {
  const places = [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]
  const status = await git.run([...places, 'status', '--porcelain', '-z', '--no-renames'], { folder })
  // If git does not answer, nothing is known about these files: they count as not saved.
  if (!status.ok) return ['.']
  return status.text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

/** How many commits the branch of a worktree has that its base does not have. */
export const commitsAhead = async (git: GitWriter, { branch, base }: WorktreeRow): Promise<number> => {
  if (!branch) return 0
  const counted = await git.run(['rev-list', '--count', '--no-merges', refOf(branch), `^${base}`])
  return counted.ok ? Number(counted.text.trim()) : 0
}

/**
 * Why a worktree is not needed any more: its task is closed and its work was merged or given up, or a later attempt has
 * replaced it. Undefined if it is needed.
 */
export const whyUnneeded = (
  { spawn }: Pick<WorktreeRow, 'spawn'>,
  task: Pick<TaskRow, 'id' | 'status' | 'merge' | 'attempt_out'>,
  latest: string | undefined,
): string | undefined => {
  if (latest !== undefined && latest !== spawn) return `${latest} replaced it`
  if (task.status === 'cancelled') return `${task.id} is cancelled`
  if (task.status !== 'done' || task.merge === 'pending') return undefined
  return task.merge === 'merged' ? `${task.id} is merged` : `${task.id} is done`
}

/** Removes a worktree that is not needed. Keeps a ref to what was not merged. */
export const removeUnneeded = async (context: Context, git: GitWriter, row: WorktreeRow): Promise<void> => {
  const merge = await worktrees.lastMerge(context.store, row.task)
  const isMerged = merge?.state === 'merged' && merge.spawn === row.spawn
  await removeWorktree(context, git, row, isMerged ? { merged: merge.head } : {})
}

export interface Leftover {
  name: string
  path: string
  what: 'removed' | 'check' | 'lock'
}

/** A check folder or a lock file counts as left over only after this time: a newer one may be in use. */
const oldMs = 24 * 60 * 60_000

/** Returns what killed processes left beside the worktrees: half-removed folders, check folders and lock files. */
export const leftovers = async (context: Context, known: ReadonlySet<string>): Promise<Leftover[]> => {
  const { statAt } = await import('../host/stat.ts')
  const folder = worktreesFolder(context)
  const isOld = (path: string) =>
    (statAt(path)?.changed ?? Number.POSITIVE_INFINITY) + oldMs < context.host.now()
  return context.host.files.list(folder).flatMap((name): Leftover[] => {
    const path = `${folder}/${name}`
    if (/\.removed-\w{6}$/.test(name)) return [{ name, path, what: 'removed' }]
    if (/^check-\w{8}$/.test(name)) return isOld(path) ? [{ name, path, what: 'check' }] : []
    const spawn = /^(T\d+\.\d+)\.lock$/.exec(name)?.[1]
    return spawn && !known.has(spawn) && isOld(path) ? [{ name, path, what: 'lock' }] : []
  })
}

/** Removes a leftover and, for a check folder, git's record of that worktree. */
export const removeLeftover = async (git: GitWriter, { path, what }: Leftover): Promise<void> => {
  const { removeTree } = await import('../host/permissions.ts')
  if (what === 'check') await git.run(['worktree', 'remove', '--force', '--force', path])
  removeTree(path)
}
