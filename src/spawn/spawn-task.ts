import { leaseMs, quietMs } from '../claims/lease.ts'
import { lastCommand } from '../claims/quiet.ts'
import type { SpawnOptions, SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { recordTerms } from '../evidence/record-terms.ts'
import { type Baseline, termsOf } from '../evidence/spawn-terms.ts'
import { linkedFolders } from '../git/git-folder.ts'
import { hasRepository } from '../git/repository.ts'
import { refuseOwnLinks } from '../host/node-own-links.ts'
import { isAgent } from '../kernel/actor.ts'
import { resolvePath } from '../kernel/path.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { type Fault, fail, type Ok, ok, Refused, type Result, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import { ingest } from '../manifest/ingest.ts'
import type { Context } from '../operation/context.ts'
import { noteSpawn } from '../project/outer-backups.ts'
import { placeCodes } from '../worktrees/codes.ts'
import { mayChangeCode } from '../worktrees/shared-folder.ts'
import * as worktrees from '../worktrees/sql.ts'
import { type ChosenSkills, chooseSkills } from './choose-skills.ts'
import { composeNext } from './compose-prompt.ts'
import { makeFolders } from './folders.ts'
import { type GateChoice, isChosen } from './kept-gates.ts'
import { type LoadedPrompt, loadPrompt } from './load-prompt.ts'
import { lastChangeOf, orchestratorOf, outFault, type ReplaceRules } from './orchestrator.ts'
import { recordSpawn, type Spawn } from './record-spawn.ts'
import { promptFile, storePrompt } from './stored-spawn.ts'
import { claimFault, notYet, readTask, type TaskToSpawn, taskCodes, taskFaults } from './task-to-spawn.ts'

export const spawnCodes = [
  'task.not_found',
  ...taskCodes,
  'skill.missing',
  'skill.twice',
  'spawn.folder',
  'path.outside',
  'tokens.unresolved',
  'budget.exceeded',
  'claim.held',
  'spawn.reserved',
  'spawn.out',
  'task.changed',
  ...placeCodes,
] as const
type SpawnCode = (typeof spawnCodes)[number]

export interface SpawnedTask extends Spawn {
  promptFile: string
  /** True if no spawn was made, because an earlier, unstarted spawn has the same prompt. */
  same: boolean
  /** Warnings for the caller, for example that an earlier attempt is replaced or that agents share a folder. */
  notes: string[]
}

/** If another process changes the task meanwhile, the prompt is made again. CLEO gives up after this many tries. */
const mostTries = 5

/** The parts of a request for a spawn that do not belong to the recorded options. */
export interface SpawnRequest {
  replace: boolean
  /** True if this call names the protocol. */
  named: boolean
  /** True to start from the commits of the last attempt. */
  continued?: boolean
}

/** The facts that are the same in every try. */
interface Request extends Pick<ReplaceRules, 'orchestrator' | 'lease' | 'quiet' | 'replace'> {
  options: SpawnOptions
  choice: GateChoice
  continued: boolean
}

type Tried = Result<SpawnedTask, SpawnCode> | 'changed'

export const spawnTask = async (
  context: Context,
  id: string,
  requested: SpawnOptions,
  { replace, named, continued = false }: SpawnRequest,
): Promise<Result<SpawnedTask, SpawnCode>> => {
  // Refuse subagents: a subagent could spawn its own task again under easier rules.
  if (parseSpawnId(context.actor.id))
    refuse('actor.subagent', { actor: context.actor.id, verb: 'spawn tasks' })
  // If one of these folders is a link, refuse now. The prompt file is written only after the spawn is recorded, when
  // it is too late to refuse.
  for (const own of ['spawns', 'cache']) refuseOwnLinks(`${context.folder}/${own}`)
  const early = await ingestEarlier(context)
  const request: Request = {
    options: absolute(context, requested),
    choice: { agent: isAgent(context.actor, context.host.env), named },
    continued,
    orchestrator: orchestratorOf(context),
    lease: leaseMs(context.config),
    quiet: quietMs(context.config),
    replace,
  }
  for (let tries = 0; tries < mostTries; tries++) {
    const task = await readTask(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const tried = await trySpawn(context, task, request)
    if (tried === 'changed') continue
    if (!tried.ok) return tried
    return { ...tried, value: { ...tried.value, notes: [...early, ...tried.value.notes] } }
  }
  return fail('task.changed', { id })
}

const trySpawn = async (context: Context, task: TaskToSpawn, request: Request): Promise<Tried> => {
  const { options, choice, continued } = request
  const chosen = await chooseSkills(context, task, options)
  const rules: ReplaceRules = { ...request, lastChange: await lastChangeOf(context, task, request.quiet) }
  const held = [...claimFault(task, context.actor, request.replace), ...outFault(task, rules)]
  const attempt: Attempt = { task, choice, chosen, rules, held, options }
  const isRefused = held.length > 0 || (await taskFaults(context.store, task, context.config)).length > 0
  if (isRefused || options.here || (await needsNoWorktree(context, task, chosen.protocol)))
    return spawnAt(context, attempt, [])
  if (!hasRepository(context.host, context.root))
    return spawnAt(context, attempt, await inCheckout(context, chosen.protocol, options))
  const { findPlace, placeOfLatest, preparePlace, dropPlace } = await import('./work-place.ts')
  const wanted = { task, protocol: chosen.protocol, options, continued }
  const place = await findPlace(context, wanted)
  if (!place.ok) return place
  if (place.value.kind === 'checkout') return spawnAt(context, attempt, place.value.warnings)
  const again = await placeOfLatest(context, wanted, place.value)
  const given = again && (await spawnAt(context, { ...attempt, options: again, onlySame: true }, []))
  if (given && given !== 'changed') return given
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  const { lockOfSpawn } = await import('../worktrees/place.ts')
  // The lock lets only one process make the worktree of an attempt. If that process is killed, another process can take
  // the lock.
  return withFileLock(lockOfSpawn(context, `${task.row.id}.${task.attempt}`), async (): Promise<Tried> => {
    const prepared = await preparePlace(context, wanted, place.value)
    if (!prepared.ok) return prepared
    const { options, spawn, warnings } = prepared.value
    const tried = await spawnAt(context, { ...attempt, options }, warnings)
    if (spawn && (tried === 'changed' || !tried.ok)) await dropPlace(context, spawn)
    return tried
  })
}

const needsNoWorktree = async (
  { store }: Context,
  { root }: TaskToSpawn,
  protocol: Protocol,
): Promise<boolean> => !mayChangeCode(protocol) && (await worktrees.integration(store, root.id)) === undefined

/** Returns a warning if an agent that may change code has to share the checkout, because there is no git repository. */
const inCheckout = async (context: Context, protocol: Protocol, options: SpawnOptions): Promise<string[]> => {
  if (options.here || context.config.worktrees?.by === 'none') return []
  const { workPlaceFor } = await import('../worktrees/place.ts')
  const place = await workPlaceFor(context, { epic: '', protocol, options })
  return place.ok && place.value.kind === 'checkout' ? place.value.warnings : []
}

interface Attempt {
  task: TaskToSpawn
  choice: GateChoice
  chosen: ChosenSkills
  rules: ReplaceRules
  /** The reasons why the task may not be taken from the agent that has it. */
  held: Fault<SpawnCode>[]
  /** The options, after CLEO has decided in which folder the agent works. */
  options: SpawnOptions
  /** True to make no new spawn, but to return the last spawn if it was not started and has the same prompt. */
  onlySame?: true
}

const spawnAt = async (context: Context, attempt: Attempt, warnings: readonly string[]): Promise<Tried> => {
  const { task, choice, chosen, rules, held, options, onlySame } = attempt
  const loaded = await loadPrompt(context, task, options, { choice, chosen })
  const { latest, files } = task
  const terms = recordTerms(context, { latest, options, gates: loaded.facts.gates, files })
  // Git collects the terms while the prompt is composed. The promise is awaited only when the spawn is recorded. If
  // git fails before that, this handler prevents an unhandled rejection.
  terms.catch(() => undefined)
  const { prompt, same } = await composeNext(context, task, loaded, options)
  if (onlySame && !same) return 'changed'
  const faults: Fault<SpawnCode>[] = [...loaded.faults, ...prompt.faults, ...held]
  if (faults[0]) return notYet(task.row.id, [faults[0], ...faults.slice(1)])
  makeFolders(context, loaded.output, task.root.id)
  // Run the tests outside the transaction, because they take long.
  const baseline = same || context.dryRun ? undefined : await baselineFor(context, task, loaded)
  const spawn: Spawn = {
    ...{ task, loaded, prompt, options, terms, chosen: isChosen(choice) },
    ...(baseline && { baseline }),
  }
  const recorded = same ? await reuseSpawn(context, latest!) : await recordSpawn(context, spawn, rules)
  if (!recorded.ok) return recorded
  if (recorded.value === 'changed') return 'changed'
  if (!context.dryRun) {
    storePrompt(context, prompt)
    if (!same) await afterSpawn(context, task, prompt.spawnId)
  }
  const notes = [
    ...warnings,
    ...(same ? [] : replacedNote(task)),
    ...(baseline ? [(await import('../evidence/baseline.ts')).describeBaseline(baseline)] : []),
    ...(await keptGatesNote(context, spawn)),
  ]
  const path = promptFile(context, prompt.spawnId)
  return ok({ ...spawn, promptFile: path, same, notes }, { warnings: recorded.warnings })
}

/** Records the spawn in the user's state folder, and removes the worktrees of the attempts that it supersedes. */
const afterSpawn = async (context: Context, { row, latest }: TaskToSpawn, spawn: string): Promise<void> => {
  noteSpawn(context.host, context.store.project, spawn)
  if (!latest) return
  const { retireEarlier } = await import('./work-place.ts')
  await retireEarlier(context, row.id, spawn)
}

const replacedNote = ({ row, latest }: TaskToSpawn): string[] => {
  if (latest?.started_at === null) return [`${latest.id} was not started and is superseded`]
  if (!latest || row.attempt_out === 0 || latest.back_at !== null) return []
  return [`${latest.id} is replaced; it last ran a command at ${iso(lastCommand(latest))}`]
}

/**
 * The lines that are already in the manifests came with a clone or belong to an earlier attempt. They must not count as
 * work of the new spawn, even if they contain its id, so they are ingested before that spawn is made.
 */
const ingestEarlier = async (context: Context): Promise<string[]> => {
  try {
    return (await ingest(context, linkedFolders(context.host, context.root))).warnings
  } catch (error) {
    // Ignore an unusable folder here: the checks of the spawn report it together with all other problems.
    if (error instanceof Refused && error.failure.code === 'path.outside') return []
    throw error
  }
}

const baselineFor = async (
  context: Context,
  { latest }: TaskToSpawn,
  { facts, pins, work }: LoadedPrompt,
): Promise<Baseline | undefined> => {
  if (!context.config.gates?.baseline || !facts.gates.includes('testsPassed')) return undefined
  const { takeBaseline } = await import('../evidence/baseline.ts')
  const earlier = termsOf(latest)
  return takeBaseline(context, { folder: work, pins, ...(earlier && { earlier }) })
}

/**
 * Returns a note about the gates that are still required because of an earlier attempt. If an agent makes the spawn,
 * also asks a person whether the task may go on without these gates.
 */
const keptGatesNote = async (
  context: Context,
  { task, loaded: { kept, facts } }: Spawn,
): Promise<string[]> => {
  if (kept.length === 0) return []
  const { protocol } = facts
  const note = `these gates are still required, as for ${task.binding!.id}: ${kept.join(', ')}`
  const change = `cleo respawn ${task.row.id} --protocol ${protocol}`
  if (!isAgent(context.actor, context.host.env)) return [`${note}; to change that: ${change}`]
  if (context.dryRun) return [note]
  const { ask } = await import('../questions/ask.ts')
  const input = { id: task.row.id, protocol }
  const question = await ask(respawnCommand, { given: input, checked: input }, context)
  return [question ? `${note}; a person can change that: ${question} in cleo inbox` : note]
}

const respawnCommand = { name: 'orchestrate.respawn' } as const

const reuseSpawn = async ({ write }: Context, { id, task, hash, back_at }: SpawnRow): Promise<Ok<'kept'>> => {
  if (back_at === null) return ok('kept')
  return write(async (tx) => {
    await spawns.markNotReturned(tx.db, id)
    await tx.record({ task, after: { spawn: id, hash } })
    return ok('kept')
  })
}

/** The recorded options must not depend on the current folder. */
const absolute = ({ host }: Context, options: SpawnOptions): SpawnOptions =>
  options.worktree === undefined
    ? options
    : { ...options, worktree: host.files.realPath(resolvePath(host.cwd, options.worktree)) }
