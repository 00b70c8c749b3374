import { receiptsOf } from '../claims/sql/returns.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { hasRepository } from '../git/repository.ts'
import { removeTree } from '../host/permissions.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { type Failure, ok, type Result } from '../kernel/result.ts'
import { settle } from '../merge/landing.ts'
import { headOfSpawn } from '../merge/work.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as merges from '../tasks/sql/merges.ts'
import { adoptWorktree } from '../worktrees/adopt.ts'
import type { placeCodes } from '../worktrees/codes.ts'
import {
  branchOfEpic,
  branchOfSpawn,
  findIntegration,
  type Integration,
  refOf,
  writerFor,
} from '../worktrees/integration.ts'
import { makeWorktree, optionsInWorktree } from '../worktrees/make.ts'
import { folderOfSpawn, lockOfSpawn, type WorkPlace, workPlaceFor } from '../worktrees/place.ts'
import { firstPort } from '../worktrees/ports.ts'
import { removeWorktree } from '../worktrees/remove.ts'
import { mayChangeCode, whyNoWorktrees } from '../worktrees/shared-folder.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'
import { unseenFiles } from './unseen-files.ts'

/** The work folder of a spawn, in the form of options to record with the spawn. */
export interface PreparedPlace {
  options: SpawnOptions
  /** The spawn that owns the worktree; undefined in the checkout. */
  spawn?: string
  warnings: string[]
}

export interface WantedPlace {
  task: TaskToSpawn
  protocol: Protocol
  options: SpawnOptions
  /** True to start from the commits of the last attempt. */
  continued: boolean
}

type PlaceCode = (typeof placeCodes)[number]

/** If an earlier `receive` was killed during a merge, finishes that merge first. */
export const findPlace = async (
  context: Context,
  { task, protocol, options }: WantedPlace,
): Promise<Result<WorkPlace, PlaceCode>> => {
  await settle(context, task.root.id)
  const missing = await bringLandedNeeds(context, task)
  if (missing) return missing
  return workPlaceFor(context, { epic: task.root.id, protocol, options })
}

/**
 * A task can depend on work of another epic. If that work has landed on the user's branch but is missing in the
 * integration branch, merges the user's branch into the integration branch.
 */
const bringLandedNeeds = async (
  context: Context,
  { row, root }: TaskToSpawn,
): Promise<Failure<PlaceCode> | undefined> => {
  const needs = context.dryRun ? [] : await merges.landedNeeds(context.store, row.id)
  if (needs.length === 0) return undefined
  const found = await findIntegration(context, root.id)
  if (!found.ok) return found
  const integration = found.value
  if (!integration?.onto || (await hasAll(context, integration, needs))) return undefined
  const { mergeUserBranch } = await import('../merge/merge-user-branch.ts')
  const brought = await mergeUserBranch(context, integration, integration.onto)
  return brought.ok ? undefined : brought
}

const hasAll = async (
  { store }: Context,
  { git, tip, onto }: Integration,
  needs: readonly string[],
): Promise<boolean> => {
  if ((await git.commit(refOf(onto!))) === undefined) return true
  for (const id of needs) {
    const merge = await worktrees.lastMerge(store, id)
    if (merge && !(await git.isAncestor(merge.head, tip))) return false
  }
  return true
}

export const preparePlace = async (
  context: Context,
  { task, options, continued }: WantedPlace,
  place: WorkPlace,
): Promise<Result<PreparedPlace, PlaceCode>> => {
  if (place.kind === 'checkout') return ok({ options, warnings: place.warnings })
  const spawn = `${task.row.id}.${task.attempt}`
  const { integration, isDetached } = place
  const folder = folderOfSpawn(context, spawn)
  if (context.dryRun) return ok({ options, warnings: [`would work in a new worktree, ${folder}`] })
  const start = await startOf(context, integration, task, continued)
  // Warn about files that the agent does not see, but only until the first work of the epic is merged. Later warnings
  // would only repeat those of the first spawns.
  const unseen =
    integration.tip === integration.base ? unseenFiles(context, integration.epic, task.row.id) : []
  const made =
    options.worktree === undefined
      ? await makeWorktree(context, {
          spawn,
          integration,
          isDetached,
          ...start,
        })
      : await adoptWorktree(context, { spawn, integration, folder: options.worktree })
  if (!made.ok) return made
  return ok({
    options: optionsInWorktree(context, options, integration, made.value),
    spawn,
    warnings: [
      ...(made.warnings ?? []),
      ...(await unseen),
      ...(continued && !start ? [`no earlier attempt of ${task.row.id} has commits to continue from`] : []),
    ],
  })
}

/** Returns the options that a task's next attempt will have after its worktree is made. Does not make the worktree. */
export const plannedOptions = async (
  context: Context,
  { task, protocol, options }: Pick<WantedPlace, 'task' | 'protocol' | 'options'>,
): Promise<SpawnOptions> => {
  if (!hasRepository(context.host, context.root)) return options
  const epic = task.root.id
  const isDetached = !mayChangeCode(protocol)
  if (isDetached || context.config.worktrees?.by === 'none' || (await whyNoWorktrees(context))) {
    const place = isDetached ? await workPlaceFor(context, { epic, protocol, options }) : undefined
    if (!place?.ok || place.value.kind === 'checkout') return options
  }
  const spawn = `${task.row.id}.${task.attempt}`
  const folder = folderOfSpawn(context, spawn)
  const branch = isDetached ? null : branchOfSpawn(spawn)
  const numbers = { slot: 1, port_base: isDetached ? 0 : firstPort }
  const row = { spawn, folder, branch, base: '', ...numbers }
  return optionsInWorktree(context, options, { branch: branchOfEpic(epic) }, row)
}

/**
 * Returns the options for using the latest spawn again; undefined if that spawn was started, or if its worktree is
 * missing or not up to date.
 */
export const placeOfLatest = async (
  context: Context,
  { task, options, continued }: WantedPlace,
  place: WorkPlace,
): Promise<SpawnOptions | undefined> => {
  const { latest } = task
  if (place.kind === 'checkout' || latest?.started_at !== null) return undefined
  const { integration } = place
  const start = continued ? await startOf(context, integration, task, continued) : undefined
  if (start && start.from !== (await headOfSpawn(integration.git, latest.id))) return undefined
  const row = await worktrees.worktree(context.store, latest.id)
  const isThere = row?.state === 'there' && context.host.files.kind(`${row.folder}/.git`) === 'file'
  if (!isThere || row.base !== place.integration.tip || (row.branch === null) !== place.isDetached)
    return undefined
  return optionsInWorktree(context, options, place.integration, row)
}

/**
 * Returns the commit from which a new attempt starts:
 * - If the caller continues earlier attempts, their last commit.
 * - Otherwise, if the task is a follow-up of unmerged partial work, the last commit of that work.
 * - Otherwise undefined: the attempt starts from the tip of the integration branch.
 */
const startOf = async (
  context: Context,
  { git, tip }: Integration,
  { row, latest }: TaskToSpawn,
  continued: boolean,
): Promise<{ from: string; base: string } | undefined> => {
  const earlier = continued ? undefined : await partialBefore(context, row)
  const from = continued
    ? await lastCommitOf(git, tip, row.id, latest?.attempt ?? 0)
    : earlier && (await headOfSpawn(git, earlier))
  if (from === undefined) return undefined
  const base = await git.run(['merge-base', from, tip])
  return base.ok ? { from, base: base.text.trim() } : undefined
}

/** Returns the last commit of the latest attempt that made commits. */
const lastCommitOf = async (
  git: GitWriter,
  tip: string,
  task: string,
  attempts: number,
): Promise<string | undefined> => {
  for (let attempt = attempts; attempt > 0; attempt--) {
    const head = await headOfSpawn(git, `${task}.${attempt}`)
    if (head !== undefined && !(await git.isAncestor(head, tip))) return head
  }
  return undefined
}

/** If this task is a follow-up of unmerged partial work, returns the spawn that did that work. */
const partialBefore = async ({ store }: Context, { id, root }: TaskRow): Promise<string | undefined> => {
  for (const partial of await merges.unmergedPartial(store, root)) {
    const receipt = (await receiptsOf(store, partial)).find(({ made }) => made?.includes(id))
    if (receipt) return receipt.spawn
  }
  return undefined
}

/**
 * Saves the work of earlier attempts at a task and removes their worktrees. Called after a new attempt was recorded.
 */
export const retireEarlier = async (context: Context, task: string, spawn: string): Promise<void> => {
  for (const row of await worktrees.worktreesOf(context.store, task))
    if (row.spawn !== spawn && row.state !== 'gone') {
      await removeWorktree(context, writerFor(context), row)
      removeTree(lockOfSpawn(context, row.spawn))
    }
}

/** Removes the worktree of a spawn that could not be recorded. */
export const dropPlace = async (context: Context, spawn: string): Promise<void> => {
  const row = await worktrees.worktree(context.store, spawn)
  if (row && row.state !== 'gone') await removeWorktree(context, writerFor(context), row)
}
