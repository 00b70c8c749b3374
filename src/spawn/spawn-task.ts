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
  replace: Replaceable,
): Promise<Result<SpawnedTask, SpawnCode>> => {
  // Refuse subagents: a subagent could spawn its own task again under easier rules.
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
