import { folderOnBranch } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { ok } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { Context } from '../operation/context.ts'
import { withFileLock } from '../store/sqlite/file-lock.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Landing, landingOf, refOf, writerFor } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'
import { ownFiles } from './checkout-problems.ts'
import { settleMoves } from './move-branch.ts'
import { dropIndexLock, editedSince, updateCheckout, withIndexLocked } from './update-checkout.ts'

/** The effects of a landing besides the moved branches. */
export interface Landed {
  /** Tasks that became ready, in this epic or another. */
  unblocked: string[]
  tags: string[]
  warnings: string[]
  /** True if the integration branch is no longer needed and was removed. */
  dropped: boolean
}

/** Finishes or undoes a merge or a landing that a killed process left unfinished. */
export const settle = async (context: Context, epic: string): Promise<void> => {
  await settleMoves(context, epic)
  if (context.dryRun) return
  const row = await worktrees.integration(context.store, epic)
  if (row?.landing) await whileLanding(context, () => settleLanding(context, epic))
}

/** The system releases the lock of a killed process. */
export const whileLanding = <T>(context: Context, work: () => Promise<T>): Promise<T> =>
  withFileLock(`${context.folder}/land.lock`, work)

const settleLanding = async (context: Context, epic: string): Promise<void> => {
  const row = await worktrees.integration(context.store, epic)
  const landing = row && landingOf(row)
  if (!landing) return
  const git = writerFor(context)
  const { onto } = landing
  if (onto) {
    const at = await git.commit(refOf(onto.branch))
    const isLanded = at === onto.to || (at !== undefined && (await git.isAncestor(onto.to, at)))
    if (onto.folder) await dropIndexLock(context.host, onto.folder)
    if (!isLanded) return forget(context, epic)
    if (at === onto.to && onto.from !== onto.to) await moveFiles(context, onto)
  } else if ((await git.commit(refOf(row.branch))) === landing.was) return forget(context, epic)
  await finishLanding(context, epic, landing)
}

const forget = async (context: Context, epic: string): Promise<void> => {
  await context.write(async (tx) => {
    await worktrees.setLanding(tx.db, epic, null)
    return ok(undefined)
  })
}

/** Returns false if the integration branch has moved since the caller read it, or if another landing is in progress. */
export const beginLanding = async (context: Context, epic: string, landing: Landing): Promise<boolean> => {
  const begun = await context.write(async (tx) => {
    const row = await worktrees.integration(tx.db, epic)
    if (row?.tip !== landing.was || row.landing !== null) return ok(false)
    await worktrees.setLanding(tx.db, epic, JSON.stringify(landing))
    return ok(true)
  })
  return begun.value
}

/**
 * Moves the user's branch, and then the files of the folder that has this branch checked out. Holds git's own lock of
 * the index, so that no commit is made between the two steps. If git refuses to change a file, moves the branch back.
 * Returns why the landing failed; undefined if it succeeded. `moved` means that another process or the user moved the
 * branch first.
 */
export const moveUserBranch = async (
  context: Context,
  epic: string,
  onto: NonNullable<Landing['onto']>,
): Promise<string | undefined> => {
  const git = writerFor(context)
  const { branch, from, to, folder } = onto
  if (from === to) return undefined
  const move = async (): Promise<string | undefined> => {
    const moved = await git.moveUserRef(refOf(branch), to, from)
    return moved.ok ? undefined : 'moved'
  }
  const failed = folder
    ? await withIndexLocked(context.host, folder, async (index) => {
        const refused = await move()
        if (refused) return { why: refused }
        const why = await updateCheckout(context.host, git, {
          ...{ folder, index, from, to },
          keep: ownFiles(context, git).isManifest,
        })
        if (why) await git.moveUserRef(refOf(branch), from, to)
        return { why }
      })
    : { why: await move() }
  const why = failed ? failed.why : `another git command is at work in ${folder}`
  if (why) await forget(context, epic)
  return why
}

const moveFiles = async (
  context: Context,
  { branch, folder, from, to }: NonNullable<Landing['onto']>,
): Promise<void> => {
  const git = writerFor(context)
  if (!folder || (await folderOnBranch(context.host, git.top, branch)) !== folder) return
  const { isManifest } = ownFiles(context, git)
  const edited = await editedSince(context.host, git, { folder, from, to })
  const keep = (path: string): boolean => isManifest(path) || edited.has(path)
  await withIndexLocked(context.host, folder, (index) =>
    updateCheckout(context.host, git, { folder, index, from, to, keep }),
  )
}

/**
 * Makes the tags, moves the integration branch to the landed commit and records the landing. Can run again after a
 * crash. If another process has already finished the landing, records nothing.
 */
export const finishLanding = async (context: Context, epic: string, landing: Landing): Promise<Landed> => {
  const git = writerFor(context)
  const { was, tip, onto } = landing
  const { made, warnings } = await makeTags(context, landing)
  const row = await worktrees.integration(context.store, epic)
  // If a merge has moved the integration branch meanwhile, leave the branch where it is: the next landing includes that
  // merge.
  const isMoved = row !== undefined && (was === tip || (await isMovedTo(git, refOf(row.branch), landing)))
  const finished = await context.write(async (tx) => {
    const now = await worktrees.integration(tx.db, epic)
    if (!now?.landing) return ok([])
    const at = isMoved && now.tip === was ? tip : now.tip
    if (onto) await worktrees.setLanded(tx.db, { epic, tip: at, base: onto.to, now: tx.now })
    else {
      await worktrees.setTip(tx.db, epic, { from: now.tip, to: at })
      await worktrees.setLanding(tx.db, epic, null)
    }
    const unblocked = await merges.markLanded(tx.db, landing.tasks, tx.now)
    const after = onto
      ? { landed: onto.to, onto: onto.branch, tasks: landing.tasks, ...(made.length > 0 && { tags: made }) }
      : { integration: tip }
    await tx.record({ task: epic, before: { integration: was }, after })
    return ok(unblocked)
  })
  const dropped = onto !== undefined && (await dropWhenDone(context, epic))
  return { unblocked: finished.value, tags: made, warnings, dropped }
}

const isMovedTo = async (git: GitWriter, ref: string, { was, tip }: Landing): Promise<boolean> =>
  (await git.moveRef(ref, tip, was)).ok || (await git.commit(ref)) === tip

const makeTags = async (
  context: Context,
  { onto, tags }: Landing,
): Promise<{ made: string[]; warnings: string[] }> => {
  const git = writerFor(context)
  const made: string[] = []
  const warnings: string[] = []
  for (const { name, task } of onto ? tags : []) {
    const row = await tasks.find(context.store, task)
    const message = `${row?.title ?? name}\n\nTask: ${task}\n`
    const is = await git.commit(`refs/tags/${name}`)
    if (is === onto!.to) continue
    if (is !== undefined) warnings.push(`the tag ${name} exists at ${is.slice(0, 9)} and was not moved`)
    else if (await git.tag(name, onto!.to, message)) made.push(name)
    else warnings.push(`git could not make the tag ${name} of ${task}`)
  }
  return { made, warnings }
}

/**
 * Removes the integration branch of a closed epic if all work in the branch has landed, or if the branch never got any
 * work.
 */
export const dropWhenDone = async (context: Context, epic: string): Promise<boolean> => {
  const git = writerFor(context)
  const task = await tasks.find(context.store, epic)
  const row = await worktrees.integration(context.store, epic)
  if (!task || !row || row.landing || !closed(task.status)) return false
  const isNeeded =
    row.tip !== row.base ||
    (await merges.toLand(context.store, epic)).length > 0 ||
    (await merges.unmerged(context.store, epic)).length > 0
  if (isNeeded) return false
  // Delete the branch before the row. Only the row says that CLEO made the branch. If CLEO deleted the row first and
  // then crashed, the branch would stay forever.
  if (!(await git.deleteRef(refOf(row.branch), row.tip)).ok) return false
  await context.write(async (tx) => {
    await worktrees.dropIntegration(tx.db, epic)
    return ok(undefined)
  })
  return true
}
