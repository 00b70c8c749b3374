import { hasOwnPrograms } from '../git/git-folder.ts'
import type { GitAnswer, GitWriter } from '../git/git-writer.ts'
import { branchOf, headOf } from '../git/repository.ts'
import { repositoryState } from '../git/repository-state.ts'
import type { Files } from '../host/host.ts'
import { removeFile, removeTree } from '../host/permissions.ts'
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

type RemovableTree = Pick<WorktreeRow, 'spawn' | 'folder' | 'branch'> & Partial<Pick<WorktreeRow, 'base'>>

/**
 * `commit` contains everything that was saved. It is undefined if there was nothing to save. `unsaved` says why
 * saving failed.
 */
type Saved = { commit: string | undefined } | { unsaved: string }

/**
 * Saves everything in a worktree as one commit at `refs/cleo/attempts/<spawn>`: its uncommitted files, its output
 * files, and its commits, including those that are not on the branch of the spawn.
 */
export const saveAttempt = async (context: Context, git: GitWriter, place: RemovableTree): Promise<Saved> => {
  const { spawn, branch } = place
  const onBranch = branch ? await git.commit(refOf(branch)) : undefined
  const saved = await saveFolder(context, git, place, onBranch)
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

/**
 * Git arguments for the worktree in a folder. They override an earlier `--git-dir`, because git uses the last value.
 */
const inFolder = (folder: string): string[] => [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]

/**
 * Makes a commit of everything in the folder that is not yet on the branch. Uses a temporary index, so that nothing
 * in the worktree changes. If the branch already has everything, makes no commit.
 */
const saveFolder = async (
  context: Context,
  git: GitWriter,
  { folder, base }: RemovableTree,
  onBranch: string | undefined,
): Promise<Saved> => {
  const { files } = context.host
  if (files.list(folder).length === 0) return { commit: undefined }
  if (files.kind(`${folder}/.git`) !== 'file')
    return { unsaved: 'it has files, but is no longer a git worktree' }
  const isHere = await isOwnAfterRepair(context, git, folder)
  const head = isHere ? await headIn(git, folder) : undefined
  if (head === undefined) return { unsaved: 'it is not a worktree of this repository' }
  if (await hasOwnPrograms(context.host, folder))
    return { unsaved: 'its own git settings, in config.worktree, may start programs' }
  const tree = await treeOfFiles(context, git, { folder, head, base: base ?? head })
  if ('unsaved' in tree) return tree
  const isOnBranch = onBranch !== undefined && (head === onBranch || (await git.isAncestor(head, onBranch)))
  if (tree.same) return { commit: isOnBranch ? undefined : await joined(git, head, onBranch) }
  // The first parent is on the spawn's branch. If HEAD is not on that branch, HEAD becomes the second parent.
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
 * Whether a folder is a worktree of this repository. Git must not run in any other folder: an agent can make the
 * `.git` file of its worktree point to a repository whose settings start programs. Repairs a broken link first,
 * because the repository might have been moved since the worktree was made.
 */
const isOwnAfterRepair = async (context: Context, git: GitWriter, folder: string): Promise<boolean> => {
  if ((await conditionOf(context, git, folder)) === 'there') return true
  await git.run(['worktree', 'repair', folder])
  return (await conditionOf(context, git, folder)) === 'there'
}

interface Checkout {
  folder: string
  head: string
  /** The commit from which the worktree was made. */
  base: string
}

const treeOfFiles = (
  context: Context,
  git: GitWriter,
  { folder, head, base }: Checkout,
): Promise<{ tree: string; same: boolean } | { unsaved: string }> =>
  git.withIndex(async (env) => {
    const { files } = context.host
    const run = (args: readonly string[], input = '') =>
      git.run([...inFolder(folder), ...args], { folder, env, input })
    const outputs = workFoldersIn(context, projectFolderIn(context, folder)).output.slice(folder.length + 1)
    const hasOutputs = files.kind(`${folder}/${outputs}`) === 'folder'
    const read = await run(['read-tree', head])
    if (!read.ok) return { unsaved: lastLine(read.errors) }
    const inner = await repositoriesIn(files, folder, run)
    const alone = inner.find((path) => files.kind(`${folder}/${path}/.git`) === 'folder')
    if (alone !== undefined) return ownRepository(alone)
    const steps: { args: string[]; input?: string }[] = [
      // Remove the repositories inside the worktree from the index. Otherwise `git add` would run git with the settings
      // of these repositories.
      {
        args: ['update-index', '-z', '--force-remove', '--stdin'],
        input: inner.map((path) => `${path}\0`).join(''),
      },
      { args: ['add', '--all'] },
      ...(hasOutputs ? [{ args: ['add', '--all', '--force', '--', outputs] }] : []),
    ]
    for (const { args, input } of steps) {
      const done = input === '' || (await run(args, input))
      if (done !== true && !done.ok) return { unsaved: lastLine(done.errors) }
    }
    const asked = ['diff-index', '--cached', '--raw', '--no-renames']
    const changed = await run([...asked, head])
    const since = base === head ? changed : await run([...asked, base])
    const link = `${changed.text}\n${since.text}`
      .split('\n')
      .find((line) => line.split(' ', 2)[1] === '160000')
    if (link) return ownRepository(link.split('\t')[1]!)
    const tree = await run(['write-tree'])
    if (!changed.ok || !since.ok || !tree.ok)
      return { unsaved: lastLine(changed.ok ? (since.ok ? '' : since.errors) : changed.errors) }
    return { tree: tree.text.trim(), same: changed.text === '' }
  })

/**
 * Refuses to save a worktree with a repository inside it, because git would not save the commits and files of that
 * repository.
 */
const ownRepository = (path: string) => ({ unsaved: `it contains a repository of its own, ${path}` })

/** Returns the submodules that are checked out. */
const repositoriesIn = async (
  files: Files,
  folder: string,
  run: (args: readonly string[]) => Promise<GitAnswer>,
): Promise<string[]> => {
  const listed = await run(['ls-files', '-z', '--stage'])
  return listed.text.split('\0').flatMap((line) => {
    const path = line.startsWith('160000 ') ? line.slice(line.indexOf('\t') + 1) : undefined
    return path !== undefined && files.kind(`${folder}/${path}/.git`) !== undefined ? [path] : []
  })
}

/**
 * Saves and removes a worktree with its branch. If the work was merged and nothing was added since, saves nothing. In
 * this case the commits are in the integration branch and the output file is in the project. If saving fails, removes
 * nothing and returns a warning.
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

/** Deletes the branch of a spawn, but keeps the folder. The client that made the worktree removes the folder later. */
const leaveWorktree = async (git: GitWriter, { folder, branch }: RemovableTree): Promise<void> => {
  await git.run([...inFolder(folder), 'checkout', '--quiet', '--detach'], { folder })
  const at = branch ? await git.commit(refOf(branch)) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
}

/** If two processes try at once, the second one finds the worktree already gone. */
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
    // The worktree will not be made again, so its lock file can be removed.
    if (kept.length === 0 && context.host.files.kind(lock) === 'file') removeFile(lock)
    return kept
  })
}

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
  const { host } = context
  if ((await conditionOf(context, git, folder)) !== 'there' || (await hasOwnPrograms(host, folder)))
    return false
  if (((await headOf(host, folder)) ?? (await headIn(git, folder))) !== merged) return false
  if (branch !== null && (await branchOf(host, folder)) !== branch) return false
  const state = await repositoryState(host, folder, { maySkip: true })
  if (state?.open.length !== 0 || (await hasMoreOutputs(context, folder, spawn))) return false
  return !(await holdsRepository(context, git, { folder, base, modules: state.modules }))
}

/** Whether a repository inside the worktree might have commits that exist nowhere else. */
const holdsRepository = async (
  { host: { files } }: Context,
  git: GitWriter,
  { folder, base, modules }: { folder: string; base: string; modules: readonly string[] },
): Promise<boolean> => {
  if (modules.length === 0) return false
  if (modules.some((path) => files.kind(`${folder}/${path}/.git`) === 'folder')) return true
  // Mode 160000 in the diff shows that a submodule has changed. Its new commits are stored in git's record of this
  // worktree, so removing the worktree would lose them.
  const changed = await git.run([...inFolder(folder), 'diff-tree', '-r', '--raw', base, 'HEAD'])
  return changed.text.includes(' 160000 ')
}

/** Whether the output folder has files that `receive` does not bring into the project. */
const hasMoreOutputs = async (context: Context, folder: string, spawn: string): Promise<boolean> => {
  const { output, manifest } = workFoldersIn(context, projectFolderIn(context, folder))
  const entry = await entries.ofSpawn(context.store, spawn)
  const { file } = entry ? (JSON.parse(entry.body) as { file?: unknown }) : {}
  const brought = ['.gitignore', file, manifest.slice(manifest.lastIndexOf('/') + 1)]
  return context.host.files.list(output).some((name) => !brought.includes(name))
}

/**
 * Removes a worktree's folder, git's record of it, and its branch. The caller must have saved everything in them.
 * `head` is the commit of the branch, if the caller knows it. The folder is renamed first, so that its path is free at
 * once.
 */
export const clearWorktree = async (
  { host }: Context,
  git: GitWriter,
  { folder, branch }: RemovableTree,
  head?: string,
): Promise<void> => {
  const trash = `${folder}${trashMark}${host.randomId(6)}`
  const record = recordOf(host.files, git.top, folder)
  if (host.files.kind(folder) !== undefined) host.files.move(folder, trash)
  // Remove the record without git if possible, to save a process. Git needs `--force` twice for a locked worktree.
  if (record) removeTree(record)
  else await git.run(['worktree', 'remove', '--force', '--force', folder])
  const at = branch ? (head ?? (await git.commit(refOf(branch)))) : undefined
  if (branch && at) await git.deleteRef(refOf(branch), at)
  removeTree(trash)
}

/** Returns the folder with git's record of a worktree, if the record and the worktree point to each other. */
const recordOf = (files: Files, top: string, folder: string): string | undefined => {
  const own = /^gitdir: (.+)$/m.exec(files.read(`${folder}/.git`) ?? '')?.[1]?.trim()
  const place = `${top}/.git/worktrees/`
  // Accept only a folder directly below `place`. A longer path could lead elsewhere through `..` or a link.
  if (!own?.startsWith(place) || /^\.*$|\//.test(own.slice(place.length))) return undefined
  return files.read(`${own}/gitdir`)?.trim() === `${folder}/.git` ? own : undefined
}

/** Marks the name of a folder that is being removed. CLEO needs nothing in such a folder. */
export const trashMark = '.removed-'
