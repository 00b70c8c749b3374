import type { GitWriter } from '../host/git-writer.ts'
import { removeTree } from '../host/permissions.ts'
import { ok } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { attemptRef, refOf } from './integration.ts'
import { projectFolderIn } from './place.ts'
import { releasePorts } from './ports.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

export const savedMessage = 'Save uncommitted work'

type Place = Pick<WorktreeRow, 'spawn' | 'folder' | 'branch'>

/**
 * Stores everything that a worktree holds as one commit below `refs/cleo/attempts`: its commits, its uncommitted files
 * and its output files. Returns the commit; undefined if the worktree is no longer a worktree of this repository.
 */
export const saveAttempt = async (
  context: Context,
  git: GitWriter,
  { spawn, folder, branch }: Place,
): Promise<string | undefined> => {
  const head = (branch && (await git.commit(refOf(branch)))) ?? (await headIn(git, folder))
  const commit = (await saveUncommitted(context, git, folder)) ?? head
  if (commit === undefined) return undefined
  const before = await git.commit(attemptRef(spawn))
  if (before !== commit) await git.moveRef(attemptRef(spawn), commit, before)
  return commit
}

const headIn = async (git: GitWriter, folder: string): Promise<string | undefined> => {
  const found = await git.run([...inFolder(folder), 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  return found.ok ? found.text.trim() : undefined
}

/** Git arguments for the worktree in a folder: the last `--git-dir` counts. */
const inFolder = (folder: string): string[] => [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]

/** Makes a commit of the files that differ from HEAD, with an index of its own: nothing in the worktree changes. */
const saveUncommitted = async (
  context: Context,
  git: GitWriter,
  folder: string,
): Promise<string | undefined> => {
  const { host } = context
  if (host.files.kind(`${folder}/.git`) !== 'file') return undefined
  const head = await headIn(git, folder)
  if (head === undefined) return undefined
  return git.withIndex(async (env) => {
    const run = (args: readonly string[]) => git.run([...inFolder(folder), ...args], { folder, env })
    const outputs = workFoldersIn(context, projectFolderIn(context, folder)).output.slice(folder.length + 1)
    await run(['read-tree', head])
    await run(['add', '--all'])
    if (host.files.kind(`${folder}/${outputs}`) === 'folder')
      await run(['add', '--all', '--force', '--', outputs])
    const tree = await run(['write-tree'])
    const before = await run(['rev-parse', `${head}^{tree}`])
    if (!tree.ok || tree.text.trim() === before.text.trim()) return undefined
    const made = await git.commitTree(tree.text.trim(), [head], savedMessage)
    return made.ok ? made.text.trim() : undefined
  })
}

/**
 * Removes a worktree and its branch, after saving what they hold. Of merged work only what was added since needs saving:
 * its commits are in the integration branch, and its output file is in the project.
 */
export const removeWorktree = async (
  context: Context,
  git: GitWriter,
  row: WorktreeRow,
  { merged }: { merged?: string } = {},
): Promise<void> => {
  if (merged === undefined || !(await isAsMerged(git, row, merged))) await saveAttempt(context, git, row)
  if (row.made_by === 'client') await leaveWorktree(git, row)
  else await clearWorktree(context, git, row)
  await releasePorts(context.host, row.port_base, { project: context.root, spawn: row.spawn })
  await context.write(async (tx) => {
    await worktrees.setState(tx.db, row.spawn, 'gone')
    return ok(undefined)
  })
}

/** Takes the branch of a spawn out of a worktree that a client made. The folder is the client's to remove. */
const leaveWorktree = async (git: GitWriter, { folder, branch }: Place): Promise<void> => {
  await git.run([...inFolder(folder), 'checkout', '--quiet', '--detach'], { folder })
  const at = branch ? await git.commit(refOf(branch)) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
}

/** Whether a worktree still has exactly the commit that was merged, and no other files. */
const isAsMerged = async (git: GitWriter, { folder, branch }: Place, merged: string): Promise<boolean> => {
  const status = await git.run([
    ...inFolder(folder),
    'status',
    '--porcelain',
    '-z',
    '--ignore-submodules=none',
  ])
  return status.ok && status.text === '' && (await git.commit(branch ? refOf(branch) : 'HEAD')) === merged
}

/**
 * Removes a folder, git's record of the worktree, and the branch. Everything in it must be saved already. The folder is
 * renamed first, so that removing many files holds nobody up.
 */
export const clearWorktree = async (
  { host }: Context,
  git: GitWriter,
  { folder, branch }: Place,
): Promise<void> => {
  const trash = `${folder}.removed-${host.randomId(6)}`
  if (host.files.kind(folder) !== undefined) host.files.move(folder, trash)
  // Twice, because the worktree is locked. Fails if git does not know the worktree, which is what is wanted.
  await git.run(['worktree', 'remove', '--force', '--force', folder])
  const at = branch ? await git.commit(refOf(branch)) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
  removeTree(trash)
}
