import type { GitWriter } from '../host/git-writer.ts'
import type { Files } from '../host/host.ts'
import { removeFile, removeTree } from '../host/permissions.ts'
import { resolvePath } from '../kernel/path.ts'
import { ok } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { conditionOf } from './condition.ts'
import { attemptRef, lastLine, refOf } from './integration.ts'
import { lockOfSpawn, projectFolderIn } from './place.ts'
import { releasePorts } from './ports.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

export const savedMessage = 'Save uncommitted work'

type Place = Pick<WorktreeRow, 'spawn' | 'folder' | 'branch'>

/** The commit with everything that was saved, undefined if there was nothing to save; or why saving failed. */
type Saved = { commit: string | undefined } | { unsaved: string }

/**
 * Stores everything that a worktree holds as one commit below `refs/cleo/attempts`: its commits, also those that are not
 * on its branch, its uncommitted files and its output files.
 */
export const saveAttempt = async (context: Context, git: GitWriter, place: Place): Promise<Saved> => {
  const { spawn, folder, branch } = place
  const onBranch = branch ? await git.commit(refOf(branch)) : undefined
  const saved = await saveFolder(context, git, folder, onBranch)
  if ('unsaved' in saved) return saved
  const commit = saved.commit ?? onBranch
  if (commit === undefined) return { commit }
  const before = await git.commit(attemptRef(spawn))
  if (before === commit) return { commit }
  const moved = await git.moveRef(attemptRef(spawn), commit, before)
  return moved.ok ? { commit } : { unsaved: lastLine(moved.errors) }
}

const headIn = async (git: GitWriter, folder: string): Promise<string | undefined> => {
  const found = await git.run([...inFolder(folder), 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  return found.ok ? found.text.trim() : undefined
}

/** Git arguments for the worktree in a folder: the last `--git-dir` counts. */
const inFolder = (folder: string): string[] => [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]

/**
 * Makes a commit of what is in the folder and not on the branch. Uses an index of its own: nothing in the worktree
 * changes. The commit is undefined if the branch has everything.
 */
const saveFolder = async (
  context: Context,
  git: GitWriter,
  folder: string,
  onBranch: string | undefined,
): Promise<Saved> => {
  const { files } = context.host
  if (files.list(folder).length === 0) return { commit: undefined }
  if (files.kind(`${folder}/.git`) !== 'file')
    return { unsaved: 'it has files, but is no longer a git worktree' }
  const isHere = await isOwnAfterRepair(context, git, folder)
  const head = isHere ? await headIn(git, folder) : undefined
  if (head === undefined) return { unsaved: 'it is not a worktree of this repository' }
  const tree = await treeOfFiles(context, git, folder, head)
  if ('unsaved' in tree) return tree
  const isOnBranch = onBranch !== undefined && (head === onBranch || (await git.isAncestor(head, onBranch)))
  if (tree.same) return { commit: isOnBranch ? undefined : await joined(git, head, onBranch) }
  // The first parent is the branch of the spawn. If HEAD is not on that branch, HEAD becomes the second parent.
  const parents = isOnBranch ? [onBranch] : [...(onBranch ? [onBranch] : []), head]
  const made = await git.commitTree(tree.tree, parents, savedMessage)
  return made.ok ? { commit: made.text.trim() } : { unsaved: lastLine(made.errors) }
}

/** Returns a commit that has both HEAD and the branch in its history. */
const joined = async (git: GitWriter, head: string, onBranch: string | undefined): Promise<string> => {
  if (onBranch === undefined || (await git.isAncestor(onBranch, head))) return head
  const made = await git.commitTree(`${head}^{tree}`, [onBranch, head], savedMessage)
  return made.ok ? made.text.trim() : head
}

/**
 * Whether a folder is a worktree of this repository. An agent can let the `.git` file of its worktree lead to a repository
 * of its own, whose settings start programs: git must not run there. The link is repaired first if it is broken, because
 * the repository may have been moved since the worktree was made.
 */
const isOwnAfterRepair = async (context: Context, git: GitWriter, folder: string): Promise<boolean> => {
  if ((await conditionOf(context, git, folder)) === 'there') return true
  await git.run(['worktree', 'repair', folder])
  return (await conditionOf(context, git, folder)) === 'there'
}

const treeOfFiles = (
  context: Context,
  git: GitWriter,
  folder: string,
  head: string,
): Promise<{ tree: string; same: boolean } | { unsaved: string }> =>
  git.withIndex(async (env) => {
    const run = (args: readonly string[]) => git.run([...inFolder(folder), ...args], { folder, env })
    const outputs = workFoldersIn(context, projectFolderIn(context, folder)).output.slice(folder.length + 1)
    const hasOutputs = context.host.files.kind(`${folder}/${outputs}`) === 'folder'
    const steps = [
      ['read-tree', head],
      ['add', '--all'],
      ...(hasOutputs ? [['add', '--all', '--force', '--', outputs]] : []),
    ]
    for (const step of steps) {
      const done = await run(step)
      if (!done.ok) return { unsaved: lastLine(done.errors) }
    }
    const changed = await run(['diff-index', '--cached', '--raw', '--no-renames', head])
    const inner = changed.text.split('\n').find((line) => line.split(' ', 2)[1] === '160000')
    // Of a repository inside the worktree, git would store only the commit id, not the files.
    if (inner) return { unsaved: `it contains a repository of its own, ${inner.split('\t')[1]}` }
    const tree = await run(['write-tree'])
    if (!changed.ok || !tree.ok) return { unsaved: lastLine(changed.ok ? '' : changed.errors) }
    return { tree: tree.text.trim(), same: changed.text === '' }
  })

/**
 * Removes a worktree and its branch, after saving what they hold. Merged work is saved only if something was added since:
 * its commits are in the integration branch, and its output file is in the project. If saving fails, removes nothing and
 * returns a warning.
 */
export const removeWorktree = async (
  context: Context,
  git: GitWriter,
  row: WorktreeRow,
  { merged }: { merged?: string } = {},
): Promise<string[]> => {
  const isAsBefore = merged !== undefined && (await isAsMerged(context, git, row, merged))
  if (!isAsBefore) {
    const saved = await saveAttempt(context, git, row)
    if ('unsaved' in saved) return [`${row.folder} is kept: ${saved.unsaved}`]
  }
  if (row.made_by === 'client') await leaveWorktree(git, row)
  else await clearWorktree(context, git, row, isAsBefore ? merged : undefined)
  await releasePorts(context.host, row.port_base, { project: context.root, spawn: row.spawn })
  await context.write(async (tx) => {
    await worktrees.setState(tx.db, row.spawn, 'gone')
    return ok(undefined)
  })
  return []
}

/** Deletes the branch of a spawn, but keeps its folder: the client that made the worktree also removes it. */
const leaveWorktree = async (git: GitWriter, { folder, branch }: Place): Promise<void> => {
  await git.run([...inFolder(folder), 'checkout', '--quiet', '--detach'], { folder })
  const at = branch ? await git.commit(refOf(branch)) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
}

/** Removes the worktree of merged work. If two processes try at once, the second one finds it gone. */
export const removeMerged = async (
  context: Context,
  git: GitWriter,
  spawn: string,
  merged: string,
): Promise<string[]> => {
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  const lock = lockOfSpawn(context, spawn)
  return withFileLock(lock, async () => {
    const row = await worktrees.worktree(context.store, spawn)
    const kept = row && row.state !== 'gone' ? await removeWorktree(context, git, row, { merged }) : []
    // This worktree is never made again, so its lock file can go.
    if (kept.length === 0 && context.host.files.kind(lock) === 'file') removeFile(lock)
    return kept
  })
}

/** Whether a worktree still has exactly the commit that was merged, and nothing else. */
const isAsMerged = async (
  context: Context,
  git: GitWriter,
  { spawn, folder, branch, base }: WorktreeRow,
  merged: string,
): Promise<boolean> => {
  if (context.host.files.list(folder).length === 0) {
    const onBranch = branch ? await git.commit(refOf(branch)) : undefined
    return onBranch === undefined || onBranch === merged
  }
  const state = (await conditionOf(context, git, folder)) === 'there' ? await stateOf(git, folder) : undefined
  if (!state?.isClean || state.head !== merged || (branch !== null && state.branch !== branch)) return false
  if (await hasMoreOutputs(context, folder, spawn)) return false
  return !(await changesSubmodules(context, git, folder, base))
}

/** The commit and branch of a worktree, and whether its files are those of the commit; undefined if git cannot tell. */
const stateOf = async (
  git: GitWriter,
  folder: string,
): Promise<{ head: string; branch: string; isClean: boolean } | undefined> => {
  const asked = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=none']
  const status = await git.run([...inFolder(folder), ...asked])
  if (!status.ok) return undefined
  const lines = status.text.split('\0').filter((line) => line !== '')
  const header = (name: string): string => {
    const start = `# branch.${name} `
    return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? ''
  }
  return {
    head: header('oid'),
    branch: header('head'),
    isClean: lines.every((line) => line.startsWith('# ')),
  }
}

/** Whether the output folder has files besides those that `receive` brings into the project. */
const hasMoreOutputs = async (context: Context, folder: string, spawn: string): Promise<boolean> => {
  const { output, manifest } = workFoldersIn(context, projectFolderIn(context, folder))
  const entry = await entries.ofSpawn(context.store, spawn)
  const { file } = entry ? (JSON.parse(entry.body) as { file?: unknown }) : {}
  const brought = ['.gitignore', file, manifest.slice(manifest.lastIndexOf('/') + 1)]
  return context.host.files.list(output).some((name) => !brought.includes(name))
}

/** Whether commits were made in a submodule: git stores these only in its record of the worktree. */
const changesSubmodules = async (
  { host: { files } }: Context,
  git: GitWriter,
  folder: string,
  base: string,
): Promise<boolean> => {
  const own = /^gitdir: (.+)$/m.exec(files.read(`${folder}/.git`) ?? '')?.[1]
  if (!own || files.kind(`${resolvePath(folder, own)}/modules`) !== 'folder') return false
  const changed = await git.run([...inFolder(folder), 'diff-tree', '-r', '--raw', base, 'HEAD'])
  return changed.text.includes(' 160000 ')
}

/**
 * Removes a folder, git's record of the worktree, and the branch. The caller has saved everything in them. `head` is the
 * commit of the branch, if the caller knows it. Renames the folder first, so that its path is free at once.
 */
export const clearWorktree = async (
  { host }: Context,
  git: GitWriter,
  { folder, branch }: Place,
  head?: string,
): Promise<void> => {
  const trash = `${folder}${trashMark}${host.randomId(6)}`
  const record = recordOf(host.files, git.top, folder)
  if (host.files.kind(folder) !== undefined) host.files.move(folder, trash)
  // Git would only remove the record too, but in a process of its own. It needs --force twice for a locked worktree.
  if (record) removeTree(record)
  else await git.run(['worktree', 'remove', '--force', '--force', folder])
  const at = branch ? (head ?? (await git.commit(refOf(branch)))) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
  removeTree(trash)
}

/** Git's folder with the record of a worktree; undefined if the two do not name each other. */
const recordOf = (files: Files, top: string, folder: string): string | undefined => {
  const own = /^gitdir: (.+)$/m.exec(files.read(`${folder}/.git`) ?? '')?.[1]?.trim()
  if (!own?.startsWith(`${top}/.git/worktrees/`) || own.includes('/../')) return undefined
  return files.read(`${own}/gitdir`)?.trim() === `${folder}/.git` ? own : undefined
}

/** Part of the name of a folder that is being removed. Nothing in such a folder is needed. */
export const trashMark = '.removed-'
