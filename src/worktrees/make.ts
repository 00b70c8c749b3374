import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { branchOfSpawn, type Integration, lastLine, refOf } from './integration.ts'
import { folderOfSpawn, projectFolderIn } from './place.ts'
import { reservePorts } from './ports.ts'
import { clearWorktree, removeWorktree, saveAttempt } from './remove.ts'
import { setUpWorktree } from './set-up.ts'
import { spaceProblem } from './space.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

interface NewWorktree {
  spawn: string
  integration: Integration
  isDetached: boolean
  /** The commit from which the branch starts; default: the tip of the integration branch. */
  from?: string
  /** The newest commit that `from` shares with the integration branch; default: the tip of that branch. */
  base?: string
}

type Made = Result<
  WorktreeRow,
  'worktree.failed' | 'integration.taken' | 'worktree.setup' | 'worktree.space' | 'path.outside'
>

/**
 * Makes the worktree of a spawn. The caller records the spawn afterwards. Stores the row of the worktree before it
 * makes the folder, so that the database knows every folder on the disk. A killed process might have left a folder or a
 * branch with the same name. In that case, the work in them is saved, and they are replaced.
 */
export const makeWorktree = async (context: Context, wanted: NewWorktree): Promise<Made> => {
  const { spawn, integration, isDetached } = wanted
  const { git, epic, tip } = integration
  const folder = folderOfSpawn(context, spawn)
  const branch = isDetached ? null : branchOfSpawn(spawn)
  // If there is no row for this spawn, a branch with this name is not from CLEO and belongs to the user.
  const isFirst = (await worktrees.worktree(context.store, spawn)) === undefined
  if (isFirst && branch && (await git.commit(refOf(branch))))
    return fail('integration.taken', { of: spawn, branch })
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  context.host.files.makeFolder(parent, 0o700)
  const full = spaceProblem(context, parent)
  if (full) return full
  const row = await reserve(context, { spawn, epic, folder, branch, base: wanted.base ?? tip })
  const from = wanted.from ?? tip
  const add = () => git.addWorktree(folder, from, branch ?? undefined)
  let added = await add()
  if (!added.ok) {
    // A killed process might have left a folder or a branch with this name. Save the work in them, then remove both.
    const saved = await saveAttempt(context, git, row)
    if ('unsaved' in saved) return failure(row, saved.unsaved)
    await clearWorktree(context, git, row)
    added = await add()
  }
  const failed = added.ok ? refuseOtherTree(context, row) : failure(row, added.errors)
  const prepared = failed ?? (await prepare(context, row))
  if (!prepared.ok) await removeWorktree(context, git, row)
  return prepared
}

const prepare = async (context: Context, row: WorktreeRow): Promise<Made> => {
  const { spawn, folder, slot, branch } = row
  hideOutputs(context, folder)
  // A spawn without a branch changes no code, so it runs no checks and needs no set-up.
  if (branch === null) return ok(await setThere(context, row))
  const portBase = (await reservePorts(context.host, { project: context.root, spawn, folder })) ?? 0
  const numbers = { slot, portBase, composeProject: composeName(spawn) }
  const done = await setUpWorktree(context, { spawn, folder, ...numbers })
  if (!done.ok) return done
  return ok(await setThere(context, { ...row, port_base: portBase }), { warnings: done.warnings })
}

/** The name is unique to the worktree, so that containers of different worktrees stay separate. */
export const composeName = (spawn: string): string => `cleo-${spawn.toLowerCase().replaceAll('.', '-')}`

const reserve = async (
  context: Context,
  { spawn, ...row }: Pick<WorktreeRow, 'spawn' | 'epic' | 'folder' | 'branch' | 'base'>,
): Promise<WorktreeRow> => {
  const { task } = parseSpawnId(spawn)!
  const reserved = await context.write(async (tx) =>
    ok(
      await worktrees.reserve(tx.db, {
        spawn,
        task,
        ...row,
        made_by: 'cleo',
        port_base: 0,
        at: tx.now,
      }),
    ),
  )
  return reserved.value
}

const setThere = async (context: Context, row: WorktreeRow): Promise<WorktreeRow> => {
  await context.write(async (tx) => {
    await worktrees.setPorts(tx.db, row.spawn, row.port_base)
    await worktrees.setState(tx.db, row.spawn, 'there')
    return ok(undefined)
  })
  return { ...row, state: 'there' }
}

const failure = ({ spawn, folder }: WorktreeRow, errors: string): Failure<'worktree.failed'> =>
  fail('worktree.failed', { spawn, folder, why: lastLine(errors) })

/**
 * Refuses if git made no worktree in the folder. Without a worktree there, later git commands would find a repository
 * in a folder above and change it.
 */
const refuseOtherTree = ({ host }: Context, row: WorktreeRow): Failure<'worktree.failed'> | undefined =>
  host.files.kind(`${row.folder}/.git`) === 'file' ? undefined : failure(row, 'git made no worktree there')

/**
 * Makes git ignore output files, if the project does not track them. A project tracks them if a new worktree has an
 * output folder, because a new worktree contains only tracked files.
 */
export const hideOutputs = (context: Context, folder: string): void => {
  const { files } = context.host
  const { output } = workFoldersIn(context, projectFolderIn(context, folder))
  if (files.kind(output) !== undefined) return
  files.makeFolder(output, 0o755)
  files.append(`${output}/.gitignore`, '*\n', 0o644)
}

type PlacedRow = Pick<WorktreeRow, 'spawn' | 'folder' | 'branch' | 'base' | 'slot' | 'port_base'>

export const optionsInWorktree = (
  context: Context,
  options: SpawnOptions,
  { branch: base }: Pick<Integration, 'branch'>,
  { folder, branch, base: commit, slot, port_base: portBase, spawn }: PlacedRow,
): SpawnOptions => ({
  ...options,
  worktree: projectFolderIn(context, folder),
  tree: { ...(branch && { branch }), base, commit, slot, portBase, composeProject: composeName(spawn) },
})
