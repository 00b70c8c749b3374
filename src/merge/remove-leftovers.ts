import type { GitWriter } from '../git/git-writer.ts'
import { removeTree } from '../host/permissions.ts'
import type { Context } from '../operation/context.ts'
import { writerFor } from '../worktrees/integration.ts'
import { worktreesFolder } from '../worktrees/place.ts'
import { clearWorktree, removeMerged, trashMark } from '../worktrees/remove.ts'
import * as worktrees from '../worktrees/sql.ts'
import { checkMark } from './check-tree.ts'

/**
 * Removes the worktrees of all merged work of an epic. These include worktrees that an earlier command did not
 * remove because it was killed. Returns warnings about worktrees that are kept.
 */
export const removeMergedTrees = async (
  context: Context,
  git: GitWriter,
  epic: string,
): Promise<string[]> => {
  const kept: string[] = []
  for (const { spawn, head } of await worktrees.mergedTrees(context.store, epic))
    kept.push(...(await removeMerged(context, git, spawn, head)))
  return kept
}

/** Removes what killed processes left behind: folders for checks, and folders whose removal was not finished. */
export const removeLeftovers = async (context: Context): Promise<void> => {
  if (context.dryRun) return
  const parent = worktreesFolder(context)
  const git = writerFor(context)
  const { tryFileLock } = await import('../store/sqlite/file-lock.ts')
  for (const name of context.host.files.list(parent)) {
    const path = `${parent}/${name}`
    if (name.includes(trashMark)) removeTree(path)
    // A process takes the lock of a check folder before it makes the folder. So if the lock is free, that process
    // has ended.
    else if (name.startsWith(checkMark) && name.endsWith(lockEnd))
      await tryFileLock(path, async () => {
        const folder = path.slice(0, -lockEnd.length)
        await clearWorktree(context, git, { spawn: '', folder, branch: null })
        removeTree(path)
      })
  }
}

const lockEnd = '.lock'
