import type { SpawnOptions, SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Fault, fail, failAll, type Ok, ok, type Result, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import { composeNext } from './compose-prompt.ts'
import { makeOutput } from './folders.ts'
import { loadPrompt } from './load-prompt.ts'
import { recordSpawn, type Spawn } from './record-spawn.ts'
import { promptFile, storePrompt } from './stored-spawn.ts'
import { claimFault, type Replaceable, readTask, taskCodes } from './task-to-spawn.ts'

export const spawnCodes = [
  'task.not_found',
  ...taskCodes,
  'skill.missing',
  'skill.twice',
  'spawn.folder',
  'tokens.unresolved',
  'budget.exceeded',
  'claim.held',
  'task.changed',
] as const
type SpawnCode = (typeof spawnCodes)[number]

export interface SpawnedTask extends Spawn {
  promptFile: string
  /** The same prompt was spawned before and has not been started. */
  same: boolean
  /** Warnings about the attempts so far. */
  notes: string[]
}

/** Retry if another process writes while the prompt is made; after this many conflicts, give up. */
const mostTries = 5

/** Makes the prompt of a task's next spawn: read the task, load, compose, check, record, write the prompt file. */
export const spawnTask = async (
  context: Context,
  id: string,
  requested: SpawnOptions,
  replace: Replaceable,
): Promise<Result<SpawnedTask, SpawnCode>> => {
  // A subagent that may spawn could spawn its own task again under easier rules.
  if (parseSpawnId(context.actor.id)) refuse('person.needed', { operation: 'spawn', actor: context.actor.id })
  const options = absolute(context, requested)
  for (let tries = 0; tries < mostTries; tries++) {
    const task = await readTask(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const loaded = await loadPrompt(context, task, options)
    const { prompt, same } = await composeNext(context, task, loaded, options)
    const faults: Fault<SpawnCode>[] = [
      ...loaded.faults,
      ...prompt.faults,
      ...claimFault(task, context.actor, replace),
    ]
    if (faults[0]) return failAll([faults[0], ...faults.slice(1)])
    makeOutput(context, loaded.output)
    const spawn: Spawn = { task, loaded, prompt, options }
    const recorded = same
      ? await reuseSpawn(context, task.latest!)
      : await recordSpawn(context, spawn, replace)
    if (!recorded.ok) return recorded
    if (recorded.value === 'changed') continue
    if (!context.dryRun) storePrompt(context, prompt)
    const { latest } = task
    const superseded = !same && latest?.started_at === null
    const notes = superseded ? [`${latest.id} was not started and is superseded`] : []
    const path = promptFile(context, prompt.spawnId)
    return ok({ ...spawn, promptFile: path, same, notes }, { warnings: recorded.warnings })
  }
  return fail('task.changed', { id })
}

/** Marks a spawn as out again if it was received before any agent started it. */
const reuseSpawn = async ({ write }: Context, { id, task, hash, back_at }: SpawnRow): Promise<Ok<'kept'>> => {
  if (back_at === null) return ok('kept')
  return write(async (tx) => {
    await spawns.markNotReturned(tx.db, id)
    await tx.record({ task, after: { spawn: id, hash } })
    return ok('kept')
  })
}

/** Makes paths absolute, so that recorded options mean the same wherever the next command runs. */
const absolute = ({ host }: Context, options: SpawnOptions): SpawnOptions =>
  options.worktree === undefined
    ? options
    : { ...options, worktree: host.files.realPath(resolvePath(host.cwd, options.worktree)) }
