import { lostClaim } from '../claims/fence.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { asFlag } from '../evidence/verify-line.ts'
import { isRun } from '../kernel/numbered-id.ts'
import { type Gate, toolsFor } from '../kernel/protocol.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { returnLines, returnWords } from '../kernel/return-line.ts'
import { type EntryStatus, entryStatuses } from '../manifest/entry.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { gateRemarks } from '../standing/gate-remarks.ts'
import { isHeld } from '../standing/missing-requirements.ts'
import type { Proof } from '../standing/prove-task.ts'
import { type Standing, standingOf } from '../standing/standing.ts'
import type { TaskRow } from '../store/rows.ts'
import { heldForAgents, refuseForeignTask } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { claimedByOther } from '../tasks/transition.ts'
import { type FinishCode, finishCodes, finishTask } from './finish.ts'
import { type SubmittedWork, submitWork, type WorkReport } from './finish-entry.ts'
import { checkedRules, type Permission, permissionBy } from './permission.ts'
import { type Obstacle, obstaclesOf, unfinishedWork } from './unfinished-work.ts'

export const finishWorkCodes = [
  ...finishCodes,
  'entry.foreign',
  'entry.none',
  'evidence.invalid',
  'criterion.not_found',
] as const
type FinishWorkCode = (typeof finishWorkCodes)[number]
type Finished = Promise<Result<FinishedWork, FinishWorkCode>>

interface FinishRequest {
  report: WorkReport
  /** Text for the Summary section of the output file, if that section is empty. */
  summary?: string
  criteria: { n: number; text: string }[]
}

export interface FinishedWork {
  id: string
  status: 'done' | 'blocked' | 'pending' | 'active'
  outcome: EntryStatus
  entryId?: string
  held: string[]
  unblocked: string[]
  completed?: string[]
  return?: string
  /** Set if the work waits to be received and merged. */
  merge?: 'pending'
  /** Set if the agent works in a run: the run checks the work and completes the task. */
  submitted?: true
  noChange?: true
}

interface Steps {
  task: TaskRow
  spawn?: spawns.SpawnRow
  /** The status that the caller reports. */
  status?: EntryStatus
  work: SubmittedWork
  standing: Standing
  proofs: Proof[]
  warnings: string[]
  /** Gates that the agent need not prove: the run proves them when it receives the work. */
  later?: ReadonlySet<Gate>
}

/**
 * Submits the entry, gives the missing evidence, and completes the task. Every step is stored separately and skipped
 * if it was done before, so the command can be repeated after a refusal or a crash. A refusal lists all problems.
 */
export const finishWork = async (
  context: Context,
  id: string,
  { report, summary, criteria }: FinishRequest,
): Finished => {
  const { store, actor } = context
  const task = await tasks.find(store, id)
  if (!task) return fail('task.not_found', { id })
  const spawn = await spawns.latest(store, id)
  if (task.status === 'done')
    return ok(await answer(context, { task, spawn, status: 'done', noChange: true }))
  const isBlocking = report.status === 'blocked'
  if (task.status === 'cancelled' || (task.status === 'blocked' && !isBlocking))
    return fail('task.status', { id, status: task.status, verb: 'finish' })
  await refuseForeignTask({ db: store, actor }, task, 'finish')
  const taken =
    (await heldForAgents(context, store, task)) ??
    (await claimedByOther({ db: store, now: await store.now() }, id, actor)) ??
    (await lostClaim(store, id, actor.id))
  if (taken) return taken
  const unwritten = summary === undefined ? [] : await summarise(context, task, spawn, summary)
  const work = await submitWork(context, task, spawn, report)
  if ('ok' in work) return work
  const warnings = [...unwritten, ...work.warnings]
  let standing = await standingOf(context, id)
  const proofs: Proof[] = []
  const later = spawn && actor.id === spawn.id && isRun(spawn.actor) ? toolGates : undefined
  const isProved = standing.gates.every((each) => !each.required || later?.has(each.gate) || isHeld(each))
  const isRequired = standing.under !== 'nothing' && !isProved
  if (!isBlocking && (isRequired || criteria.length > 0)) {
    // Load this module only when needed: research needs no evidence besides its output file.
    const { proveTask } = await import('../standing/prove-task.ts')
    const line = `cleo finish ${id}${asFlag(actor)}`
    const reasonLine = `${line} --warning "files: <why>"`
    const proving = { task, spawn, standing, criteria, retry: line, reasonLine, ...(later && { later }) }
    const proved = await proveTask(context, proving)
    if (proved.stopped) return stop(context, { task, spawn }, proved.stopped)
    proofs.push(...proved.proofs)
    warnings.push(...proofs.flatMap((proof) => proof.warnings))
    // Check again after the tests, because files can change while the tests run.
    if (proved.ranTools) standing = await standingOf(context, id)
    else if (proofs.length > 0)
      standing = await standingOf(context, id, { recheck: false, stale: standing.stale })
  }
  const steps: Steps = { task, spawn, status: report.status, work, standing, proofs, warnings, later }
  return isBlocking ? block(context, steps) : complete(context, steps)
}

const summarise = async (
  context: Context,
  task: TaskRow,
  spawn: spawns.SpawnRow | undefined,
  summary: string,
): Promise<string[]> => {
  if (!spawn) return [`--summary was not written: ${task.id} was never spawned, so it has no output file`]
  const { writeSummary } = await import('../output/write-summary.ts')
  return writeSummary(context, task, spawn, summary)
}

/**
 * Returns the failure. If another process of the same agent has completed the task meanwhile, returns success
 * instead.
 */
const stop = async (
  context: Context,
  { task, spawn }: Pick<Steps, 'task' | 'spawn'>,
  failure: Failure<'task.not_found' | 'task.status' | 'task.changed' | 'claim.held'>,
): Finished => {
  const now = await tasks.find(context.store, task.id)
  return now?.status === 'done'
    ? ok(await answer(context, { task: now, spawn, status: 'done', noChange: true }))
    : failure
}

/** Commands of the project prove these gates. `cleo run` runs these commands outside the sandbox of its agents. */
const toolGates: ReadonlySet<Gate> = new Set(Object.keys(toolsFor) as Gate[])

/** In a run, only submits the task. The refusal lists everything that is missing. */
const complete = async (context: Context, steps: Steps): Finished => {
  const { task, spawn, work, standing, proofs, warnings, later } = steps
  const { dryRun } = context
  const rules = await checkedRules(context, standing)
  const { obstacles, held } = obstaclesOf({
    standing,
    broken: rules.broken,
    entryProblems: work.problems,
    proofs,
    status: steps.status,
    dryRun,
    ...(later && { later }),
  })
  // In a dry run nothing was stored, so there is nothing to complete.
  if (dryRun && spawn && obstacles.length === 0)
    return ok(await answer(context, { task, spawn, status: 'done', work, held }), { warnings })
  const refused = obstacles.length > 0 ? unfinishedWork(task.id, obstacles, held) : undefined
  if (later && spawn && !refused) {
    const { submitToRun } = await import('./submit-to-run.ts')
    const submitted = await submitToRun(context, task.id, spawn.id)
    if (!submitted.ok) return submitted
    const shown = await answer(context, { task, spawn, status: 'active', work, held })
    return ok({ ...shown, submitted: true }, { warnings })
  }
  const permission: Permission = refused
    ? { may: false, failure: fail('gate.unmet', { id: task.id, problems: [] }) }
    : permissionBy(standing, rules)
  const finished = await finishTask(context, task.id, { known: permission })
  if (!finished.ok && refused) return withFirst(task.id, finished, { refused, obstacles, held, warnings })
  if (!finished.ok) return finished
  const { unblocked, completed, noChange, merge } = finished.value
  const remarks = spawn ? await gateRemarks(context.store, task.id) : []
  const { status } = (await tasks.find(context.store, task.id))!
  const shown = { task, spawn, status: status === 'pending' ? status : ('done' as const), work, held }
  return ok(
    {
      ...(await answer(context, shown)),
      unblocked,
      ...(completed.length > 0 && { completed }),
      ...(merge && { merge }),
      ...(noChange && { noChange }),
    },
    { warnings: [...new Set([...warnings, ...(finished.warnings ?? []), ...remarks])] },
  )
}

interface Refusal {
  refused: Failure<FinishWorkCode>
  obstacles: readonly Obstacle[]
  held: readonly string[]
  warnings: string[]
}

/**
 * If the transaction found one more problem, such as an open dependency or child, adds this problem to the refusal,
 * before the problems that were found earlier.
 */
const withFirst = (
  id: string,
  { code, exit, message, fix }: Failure<FinishCode>,
  { refused, obstacles, held, warnings }: Refusal,
): Failure<FinishWorkCode> => {
  if (code === 'gate.unmet') return { ...refused, warnings }
  const path = code === 'dependency.open' ? 'dependencies' : code === 'children.open' ? 'children' : 'task'
  const first: Obstacle = { path, code, exit, message, ...(fix && { fix }) }
  return { ...unfinishedWork(id, [first, ...obstacles], held), warnings }
}

/** Blocked work needs no evidence, but is submitted like any other work. */
const block = async (context: Context, steps: Steps): Finished => {
  const { task, spawn, work, standing, warnings } = steps
  const { obstacles, held } = obstaclesOf({
    standing,
    entryProblems: work.problems,
    proofs: [],
    status: 'blocked',
    dryRun: context.dryRun,
  })
  if (obstacles.length > 0) return { ...unfinishedWork(task.id, obstacles, held), warnings }
  const { blockTask } = await import('./block-task.ts')
  const blocked = await context.write<Result<null, 'claim.held' | 'entry.none'>>(async (tx) => {
    const row = spawn && (await entries.ofSpawn(tx.db, spawn.id))
    const entry = row ?? (work.entry && (await entries.find(tx.db, work.entry.id)))
    if (!entry) return context.dryRun ? ok(null) : fail('entry.none', { task: task.id })
    const body = JSON.parse(entry.body) as Record<string, unknown>
    const owner = { id: spawn?.id ?? context.actor.id, task: task.id }
    return (await blockTask(tx, owner, { id: entry.id, body })) ?? ok(null)
  })
  if (!blocked.ok) return blocked
  const noChange = task.status === 'blocked' && work.entry?.noChange === true
  return ok(
    await answer(context, {
      task,
      spawn,
      status: 'blocked',
      work,
      held: held.filter(isSubmission),
      noChange,
    }),
    {
      warnings: [...warnings, ...(blocked.warnings ?? [])],
    },
  )
}

const isSubmission = (name: string): boolean => ['focus', 'manifest entry', 'output file'].includes(name)

interface ShownWork {
  task: TaskRow
  spawn?: spawns.SpawnRow
  status: FinishedWork['status']
  work?: SubmittedWork
  held?: string[]
  noChange?: boolean
}

const answer = async ({ store }: Context, given: ShownWork): Promise<FinishedWork> => {
  const { task, spawn, status, work, held = [], noChange } = given
  const stored = work?.entry ?? (spawn && (await entries.ofSpawn(store, spawn.id)))
  const outcome = stored?.status ?? task.outcome ?? 'complete'
  const words = spawn && returnWords(spawn.protocol, task.stage ?? spawn.protocol)
  const line = words && returnLines(words[0]!)[entryStatuses.indexOf(outcome)]
  return {
    id: task.id,
    status,
    outcome,
    ...(stored && { entryId: stored.id }),
    held,
    unblocked: [],
    ...(line && { return: line }),
    ...(noChange && { noChange, ...(task.merge === 'pending' && { merge: 'pending' as const }) }),
  }
}
