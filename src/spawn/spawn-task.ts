import { leaseMs, quietMs } from '../claims/lease.ts'
import { lastCommand } from '../claims/quiet.ts'
import type { SpawnOptions, SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { recordTerms } from '../evidence/record-terms.ts'
import { type Baseline, termsOf } from '../evidence/spawn-terms.ts'
import { refuseOwnLinks } from '../host/node-own-links.ts'
import { linkedFolders } from '../host/repository.ts'
import { isAgent } from '../kernel/actor.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Fault, fail, failAll, type Ok, ok, Refused, type Result, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import { ingest } from '../manifest/ingest.ts'
import type { Context } from '../operation/context.ts'
import { noteSpawn } from '../project/outer-backups.ts'
import { composeNext } from './compose-prompt.ts'
import { makeFolders } from './folders.ts'
import { isChosen } from './kept-gates.ts'
import { type LoadedPrompt, loadPrompt } from './load-prompt.ts'
import { lastChangeOf, orchestratorOf, outFault } from './orchestrator.ts'
import { recordSpawn, type Spawn } from './record-spawn.ts'
import { promptFile, storePrompt } from './stored-spawn.ts'
import { claimFault, readTask, type TaskToSpawn, taskCodes } from './task-to-spawn.ts'

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
] as const
type SpawnCode = (typeof spawnCodes)[number]

export interface SpawnedTask extends Spawn {
  promptFile: string
  /** Whether this is an earlier spawn with the same prompt, which no agent has started yet. */
  same: boolean
  /** Warnings about earlier attempts. */
  notes: string[]
}

/** How many times to make the prompt before giving up, if other processes keep changing the task. */
const mostTries = 5

/** Makes the prompt of a task's next spawn: read the task, load, compose, check, record, write the prompt file. */
export const spawnTask = async (
  context: Context,
  id: string,
  requested: SpawnOptions,
  { replace, named }: { replace: boolean; named: boolean },
): Promise<Result<SpawnedTask, SpawnCode>> => {
  // Refuse subagents: a subagent could spawn its own task again under easier rules.
  if (parseSpawnId(context.actor.id))
    refuse('actor.subagent', { actor: context.actor.id, verb: 'spawn tasks' })
  // Checked before the spawn is recorded, because its prompt is written afterwards.
  for (const own of ['spawns', 'cache']) refuseOwnLinks(`${context.folder}/${own}`)
  const options = absolute(context, requested)
  const early = await ingestEarlier(context)
  let baseline: Baseline | undefined
  const orchestrator = orchestratorOf(context)
  const quiet = quietMs(context.config)
  const choice = { agent: isAgent(context.actor, context.host.env), named }
  for (let tries = 0; tries < mostTries; tries++) {
    const task = await readTask(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const loaded = await loadPrompt(context, task, options, choice)
    const { latest, files } = task
    const terms = recordTerms(context, { latest, options, gates: loaded.facts.gates, files })
    // Awaited where the spawn is recorded; until then git runs while the prompt is composed.
    terms.catch(() => undefined)
    const { prompt, same } = await composeNext(context, task, loaded, options)
    const lastChange = await lastChangeOf(context, task, quiet)
    const rules = { orchestrator, lease: leaseMs(context.config), quiet, lastChange, replace }
    const faults: Fault<SpawnCode>[] = [
      ...loaded.faults,
      ...prompt.faults,
      ...claimFault(task, context.actor, replace),
      ...outFault(task, rules),
    ]
    if (faults[0]) return failAll([faults[0], ...faults.slice(1)])
    makeFolders(context, loaded.output, task.root.id)
    // The tests run outside the transaction, and once even if the task changes meanwhile: the result is stored by commit.
    if (!same && !context.dryRun) baseline ??= await baselineFor(context, task, loaded)
    const chosen = isChosen(choice)
    const spawn: Spawn = { task, loaded, prompt, options, terms, chosen, ...(baseline && { baseline }) }
    const recorded = same ? await reuseSpawn(context, task.latest!) : await recordSpawn(context, spawn, rules)
    if (!recorded.ok) return recorded
    if (recorded.value === 'changed') continue
    if (!context.dryRun) {
      storePrompt(context, prompt)
      if (!same) noteSpawn(context.host, context.store.project, prompt.spawnId)
    }
    const notes = [
      ...early,
      ...(same ? [] : replacedNote(task)),
      ...(baseline ? [(await import('../evidence/baseline.ts')).describeBaseline(baseline)] : []),
      ...(await keptGatesNote(context, spawn)),
    ]
    const path = promptFile(context, prompt.spawnId)
    return ok({ ...spawn, promptFile: path, same, notes }, { warnings: recorded.warnings })
  }
  return fail('task.changed', { id })
}

/** Names the attempt that the new one replaces, if that was never started or has not returned. */
const replacedNote = ({ row, latest }: TaskToSpawn): string[] => {
  if (latest?.started_at === null) return [`${latest.id} was not started and is superseded`]
  if (!latest || row.attempt_out === 0 || latest.back_at !== null) return []
  return [`${latest.id} is replaced; it last ran a command at ${iso(lastCommand(latest))}`]
}

/**
 * Ingests the lines that are in the manifests already. They are not the work of this spawn, whatever spawn they name:
 * they came with a clone, or belong to an earlier attempt. Returns warnings.
 */
const ingestEarlier = async (context: Context): Promise<string[]> => {
  try {
    return (await ingest(context, linkedFolders(context.host, context.root))).warnings
  } catch (error) {
    // The checks of the spawn report a folder that cannot be used, together with everything else.
    if (error instanceof Refused && error.failure.code === 'path.outside') return []
    throw error
  }
}

/** Finds out which tests fail before the agent starts, if the project compares with them. */
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

/** Says which gates were kept. If an agent dropped them, asks a person whether the task may do without. */
const keptGatesNote = async (
  context: Context,
  { task, loaded: { kept, facts } }: Spawn,
): Promise<string[]> => {
  if (kept.length === 0) return []
  const { protocol } = facts
  const note = `still required, as for ${task.binding!.id}: ${kept.join(', ')}`
  const change = `cleo respawn ${task.row.id} --protocol ${protocol}`
  if (!isAgent(context.actor, context.host.env)) return [`${note}; to change that: ${change}`]
  if (context.dryRun) return [note]
  const { ask } = await import('../questions/ask.ts')
  const input = { id: task.row.id, protocol }
  const question = await ask(respawnCommand, { given: input, checked: input }, context)
  return [question ? `${note}; a person can change that: ${question} in cleo inbox` : note]
}

const respawnCommand = { name: 'orchestrate.respawn' } as const

/** Marks the spawn as not returned, in case a return was recorded before any agent started it. */
const reuseSpawn = async ({ write }: Context, { id, task, hash, back_at }: SpawnRow): Promise<Ok<'kept'>> => {
  if (back_at === null) return ok('kept')
  return write(async (tx) => {
    await spawns.markNotReturned(tx.db, id)
    await tx.record({ task, after: { spawn: id, hash } })
    return ok('kept')
  })
}

/** Makes the worktree path absolute, so that recorded options do not depend on the current folder. */
const absolute = ({ host }: Context, options: SpawnOptions): SpawnOptions =>
  options.worktree === undefined
    ? options
    : { ...options, worktree: host.files.realPath(resolvePath(host.cwd, options.worktree)) }
