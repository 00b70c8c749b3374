import { branchOf, hasRepository, headOf } from '../git/repository.ts'
import { isAlive, type ProcessIdentity } from '../host/node-process-identity.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { CallingContext } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { uncommittedIn } from '../worktrees/condition.ts'
import { worktreesFolder } from '../worktrees/place.ts'
import { whyNoWorktrees } from '../worktrees/shared-folder.ts'
import { spaceProblem } from '../worktrees/space.ts'
import { isOwnPath } from './checkout-marks.ts'
import { runId } from './run-id.ts'
import type { RunOptions } from './run-options.ts'
import type { RunRow } from './sql.ts'
import * as runs from './sql.ts'

export const preflightCodes = [
  'task.not_found',
  'epic.expected',
  'run.active',
  'run.nothing',
  'run.unborn',
  'run.detached',
  'worktree.space',
  'run.verify',
] as const
type PreflightCode = (typeof preflightCodes)[number]

/**
 * Returns the process that drives the run now; undefined if no process does. A process on another machine counts as
 * alive if it wrote to the store in the last ten minutes.
 */
export const driverOf = ({ driver, seen_at }: RunRow, now: number): ProcessIdentity | undefined => {
  if (driver === null) return undefined
  const known = JSON.parse(driver) as ProcessIdentity
  const isDriving = isAlive(known) ?? Number(seen_at) + otherMachineMs > now
  return isDriving ? known : undefined
}

const otherMachineMs = 10 * 60_000

/** Nothing is started or recorded before these checks. */
export const preflight = async (
  context: CallingContext,
  epic: string,
): Promise<Failure<PreflightCode> | undefined> => {
  const { store } = context
  const live = await runs.liveOf(store, epic)
  if (live) {
    const isDriven = driverOf(live, await store.now()) !== undefined
    return fail('run.active', { id: runId(live.seq), epic, by: live.actor, isDriven })
  }
  return (await placeProblem(context, epic)) ?? (await nothingReady(context, epic))
}

export const placeProblem = async (
  context: CallingContext,
  epic: string,
): Promise<Failure<'run.unborn' | 'run.detached' | 'worktree.space'> | undefined> => {
  const { host, root, config } = context
  if (!hasRepository(host, root) || config.worktrees?.by === 'none') return undefined
  if ((await headOf(host, root)) === null) return fail('run.unborn', { root })
  if ((await branchOf(host, root)) === undefined) return fail('run.detached', { epic })
  if ((await whyNoWorktrees(context)) !== undefined) return undefined
  return spaceProblem(context, worktreesFolder(context))
}

/** Refuses a run that asks for a sandbox if bubblewrap does not work on this machine. */
export const verifyProblem = async (
  { host, root }: CallingContext,
  { verify }: Pick<RunOptions, 'verify'>,
): Promise<Failure<'run.verify'> | undefined> => {
  if (verify !== 'bubblewrap') return undefined
  const why = await (await import('../project-commands/sandbox.ts')).sandboxProblem(host, root)
  return why === undefined ? undefined : fail('run.verify', { why })
}

/** Warns if agents share one folder, or if the checkout has uncommitted files, which agents do not see. */
export const placeWarnings = async (context: CallingContext): Promise<string[]> => {
  const { host, root, config } = context
  if (config.worktrees?.by === 'none') return []
  const why = await whyNoWorktrees(context)
  if (why !== undefined) return [`${why}, so agents share the project's folder and work one at a time`]
  const open = (await uncommittedIn(host, root)).filter((path) => !isOwnPath(context, path))
  if (open.length === 0) return []
  const named = `${open.slice(0, 3).join(', ')}${open.length > 3 ? ` and ${open.length - 3} more` : ''}`
  return [`uncommitted changes are not in the folders of the agents: ${named}`]
}

interface Readiness {
  tasks: { id: string }[]
  waiting: { id: string; why: string }[]
  out: { id: string; spawnId: string }[]
}

const nothingReady = async (
  context: CallingContext,
  epic: string,
): Promise<Failure<'task.not_found' | 'epic.expected' | 'run.nothing'> | undefined> => {
  const found = await context.call('orchestrate.ready', { epic, limit: 1 })
  if (!found.ok) return found as Failure<'task.not_found' | 'epic.expected'>
  const { tasks: ready, out, waiting } = found.value as Readiness
  const rows = await tasks.descendants(context.store, epic)
  // `orchestrate.ready` lists an epic without tasks as ready, because an agent could split it. But a run needs at
  // least one task.
  if (ready.length > 0 && rows.length > 0) return undefined
  const nothing = (why: string, fix: string) => fail('run.nothing', { epic, why, fix })
  if (rows.length === 0) return nothing('it has no tasks', `cleo add "First task" --parent ${epic}`)
  if (rows.every(({ status }) => closed(status)))
    return nothing('all of them are closed', `cleo land ${epic}`)
  if (out[0])
    return nothing(`the work of ${out[0].spawnId} on ${out[0].id} is not received yet`, `cleo status`)
  const blocked = rows.find(({ status }) => status === 'blocked')
  if (blocked) return nothing(`${blocked.id} is blocked and waits for a person`, 'cleo inbox')
  return nothing(
    waiting[0] ? `${waiting[0].id} waits: ${waiting[0].why}` : 'they wait for other work',
    `cleo analyze ${epic}`,
  )
}
