import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { removeTree } from '../host/permissions.ts'
import { ok } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { attemptRef, refOf, writerFor } from './integration.ts'
import { hideOutputs } from './make.ts'
import { projectFolderIn } from './place.ts'
import { clearWorktree, savedMessage } from './remove.ts'
import type { WorktreeRow } from './sql.ts'
import * as worktrees from './sql.ts'

const mostBytes = 16 << 20

const keptPath = ({ folder }: Context, spawn: string): string => `${folder}/outputs/${spawn}`

/** Keeps a copy of a spawn's output file outside its worktree until the file is in the project. */
export const keepOutput = async (context: Context, spawn: string): Promise<void> => {
  const entry = await entries.ofSpawn(context.store, spawn)
  const { file } = entry ? (JSON.parse(entry.body) as { file?: unknown }) : {}
  if (!entry || entry.place === '' || typeof file !== 'string' || context.dryRun) return
  const text = await readOutput(context, entry.place, file)
  if (text === undefined) return
  context.host.files.makeFolder(`${context.folder}/outputs`, 0o700)
  context.host.files.replace(keptPath(context, spawn), text, 0o600)
}

export const outputOf = async (
  context: Context,
  { place, file, spawn }: { place: string; file: string; spawn: string },
): Promise<string | undefined> =>
  (await readOutput(context, place, file)) ?? context.host.files.read(keptPath(context, spawn))

const readOutput = async (context: Context, place: string, file: string): Promise<string | undefined> => {
  if (context.host.files.kind(place) !== 'folder') return undefined
  const { path } = await inspectOutput(context, workFoldersIn(context, place), file)
  const read = await context.host.files.readInside(place, path.slice(place.length + 1), mostBytes)
  return read.ok ? read.text : undefined
}

export const dropKeptOutput = (context: Context, spawn: string): void => {
  removeTree(keptPath(context, spawn))
}

/**
 * If the worktree of a submitted spawn is gone, makes it again. It can be gone because the agent deleted it, or
 * because a later attempt superseded the spawn. Puts back the commits and the output file, so that the work can be
 * checked as usual.
 */
export const restoreWorktree = async (context: Context, { id }: SpawnRow): Promise<void> => {
  const row = await worktrees.worktree(context.store, id)
  const { files } = context.host
  if (!row?.branch || context.dryRun || files.list(row.folder).length > 0) return
  const git = writerFor(context)
  const isThere = (await git.commit(refOf(row.branch))) !== undefined
  const head = isThere ? row.branch : await savedHead(git, id)
  if (head === undefined) return
  await clearWorktree(context, git, { ...row, branch: null })
  const added = await git.addWorktree(row.folder, head, isThere ? undefined : row.branch, { isThere })
  if (!added.ok) return
  hideOutputs(context, row.folder)
  await restoreOutputs(context, git, row)
  await context.write(async (tx) => {
    await worktrees.setState(tx.db, id, 'there')
    return ok(undefined)
  })
}

const restoreOutputs = async (context: Context, git: GitWriter, row: WorktreeRow): Promise<void> => {
  const { spawn, folder } = row
  const { output } = workFoldersIn(context, projectFolderIn(context, folder))
  const source = `--source=${attemptRef(spawn)}`
  const places = [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]
  await git.run([...places, 'restore', source, '--worktree', '--', output.slice(folder.length + 1)], {
    folder,
  })
  const kept = context.host.files.read(keptPath(context, spawn))
  const entry = await entries.ofSpawn(context.store, spawn)
  const { file } = entry ? (JSON.parse(entry.body) as { file?: unknown }) : {}
  if (kept === undefined || typeof file !== 'string' || !isPlainName(file)) return
  if (context.host.files.kind(`${output}/${file}`) === undefined)
    context.host.files.writeNew(`${output}/${file}`, kept, 0o644)
}

/** Whether an output file is directly in the output folder, where `focus set` makes it. */
const isPlainName = (file: string): boolean => !file.includes('/') && file !== '..'

/**
 * For an attempt whose branch is gone, returns the last commit of the branch. Skips the extra commit in which CLEO
 * saved uncommitted files.
 */
export const savedHead = async (git: GitWriter, spawn: string): Promise<string | undefined> => {
  const log = await git.run(['log', '-1', '--format=%H %P%n%s', attemptRef(spawn), '--'])
  if (!log.ok) return undefined
  const [hashes = '', subject] = log.text.trim().split('\n')
  const [commit, parent] = hashes.split(' ')
  return subject === savedMessage ? parent : commit
}
