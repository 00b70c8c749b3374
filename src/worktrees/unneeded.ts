import * as spawns from '../claims/sql/spawns.ts'
import { folderOnBranch } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { hasRepository } from '../git/repository.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Condition, conditionOf, uncommittedIn } from './condition.ts'
import { writerFor } from './integration.ts'
import { worktreesFolder } from './place.ts'
import { removeWorktree } from './remove.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

/**
 * Returns why a worktree is no longer needed; undefined if it is needed. A worktree is no longer needed in three
 * cases: its task was cancelled, its task is done and waits for no merge, or a later attempt replaced it.
 */
export const whyUnneeded = async (
  { store }: Context,
  { spawn, task: id }: WorktreeRow,
): Promise<string | undefined> => {
  const task = await tasks.find(store, id)
  const latest = await spawns.lastAttempt(store, id)
  if (!task) return undefined
  if (latest !== undefined && latest.id !== spawn) return `${latest.id} replaced it`
  if (task.status === 'cancelled') return `${id} is cancelled`
  if (task.status !== 'done' || task.merge === 'pending') return undefined
  return task.merge === 'merged' ? `${id} is merged` : `${id} is done`
}

/** Keeps a ref to work that was not merged. If the worktree could not be removed, returns the reason. */
export const removeUnneeded = async (
  context: Context,
  git: GitWriter,
  row: WorktreeRow,
): Promise<string | undefined> => {
  const merge = await worktrees.lastMerge(context.store, row.task)
  const isMerged = merge?.state === 'merged' && merge.spawn === row.spawn
  const [kept] = await removeWorktree(context, git, row, isMerged ? { merged: merge.head } : {})
  return kept
}

/** A worktree that is no longer needed. It is kept if it has uncommitted files or has lost its git link. */
export interface IdleWorktree {
  row: WorktreeRow
  why: string
  condition: Condition
  uncommitted: string[]
}

export const idleWorktrees = async (context: Context): Promise<IdleWorktree[]> => {
  const git = writerFor(context)
  const found: IdleWorktree[] = []
  for (const row of await worktrees.worktrees(context.store)) {
    const why = (await whyUnneeded(context, row)) ?? (await whyAbandoned(context, row))
    if (!why) continue
    const condition = await conditionOf(context, git, row.folder)
    const uncommitted = condition === 'there' ? await uncommittedIn(context.host, row.folder) : []
    found.push({ row, why, condition, uncommitted })
  }
  return found
}

const abandonedMs = 60 * 60_000

/**
 * Returns why a worktree counts as abandoned; undefined if it does not. A worktree is abandoned if the process that
 * made it was killed before it recorded the spawn. A recent worktree does not count, because its process might
 * still record the spawn.
 */
const whyAbandoned = async ({ store }: Context, row: WorktreeRow): Promise<string | undefined> => {
  if (await spawns.find(store, row.spawn)) return undefined
  return (await store.now()) - row.at > abandonedMs ? 'it was never spawned' : undefined
}

interface StrayWorktree {
  spawn: string
  folder: string
  branch: string | null
}

/** Returns the worktrees that git lists below CLEO's folder for worktrees, but that are missing in the database. */
export const strayWorktrees = async (context: Context): Promise<StrayWorktree[]> => {
  if (!hasRepository(context.host, context.root)) return []
  const known = new Set((await worktrees.worktrees(context.store)).map(({ folder }) => folder))
  const places = `${context.host.files.realPath(worktreesFolder(context))}/`
  const { text } = await writerFor(context).run(['worktree', 'list', '--porcelain', '-z'])
  return text.split('\0\0').flatMap((entry): StrayWorktree[] => {
    const lines = entry.split('\0')
    const after = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length)
    const folder = after('worktree ')
    const spawn = folder?.startsWith(places) ? folder.slice(places.length) : ''
    if (!folder || known.has(folder) || !parseSpawnId(spawn)) return []
    return context.host.files.kind(`${folder}/.git`) === 'file'
      ? [{ spawn, folder, branch: after('branch refs/heads/') ?? null }]
      : []
  })
}

interface LooseBranch {
  spawn: string
  branch: string
  commit: string
}

/** Returns the branches of spawns whose worktree is gone and whose work does not wait for a merge. */
export const looseBranches = async (context: Context): Promise<LooseBranch[]> => {
  if (!hasRepository(context.host, context.root)) return []
  const git = writerFor(context)
  const { text } = await git.run([
    'for-each-ref',
    '--format=%(refname:strip=2) %(objectname)',
    'refs/heads/cleo/',
  ])
  const found: LooseBranch[] = []
  for (const line of text.split('\n')) {
    const [branch = '', commit = ''] = line.split(' ')
    const spawn = branch.slice('cleo/'.length)
    const parsed = parseSpawnId(spawn)
    const row = parsed && (await worktrees.worktree(context.store, spawn))
    const task = parsed && (await tasks.find(context.store, parsed.task))
    // Leave out a branch without a row, because CLEO did not make it. Also leave out a branch whose work still
    // waits for its merge.
    if (row?.state !== 'gone' || !task || task.merge === 'pending') continue
    if ((await folderOnBranch(context.host, git.top, branch)) === undefined)
      found.push({ spawn, branch, commit })
  }
  return found
}

export interface Leftover {
  name: string
  path: string
  what: 'removed' | 'check' | 'lock'
}

/**
 * A check folder or a lock file counts as a leftover only if it is older than this. A newer one might be in use.
 */
const oldMs = 24 * 60 * 60_000

/**
 * Returns the leftovers of killed processes in the folder of the worktrees: half-removed folders, check folders and
 * lock files.
 */
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

export const removeLeftover = async (git: GitWriter, { path, what }: Leftover): Promise<void> => {
  const { removeTree } = await import('../host/permissions.ts')
  if (what === 'check') await git.run(['worktree', 'remove', '--force', '--force', path])
  removeTree(path)
}
