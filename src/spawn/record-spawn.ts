import * as claims from '../claims/sql/claims.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { type SpawnTerms, termsOf } from '../evidence/spawn-terms.ts'
import { headOf } from '../host/repository.ts'
import { failAll, ok, type Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import type { ComposedPrompt } from './compose-prompt.ts'
import type { LoadedPrompt } from './load-prompt.ts'
import { claimFault, type Replaceable, type TaskToSpawn } from './task-to-spawn.ts'

/** One spawn of a task: the prompt and what it was made from. */
export interface Spawn {
  task: TaskToSpawn
  loaded: LoadedPrompt
  prompt: ComposedPrompt
  options: SpawnOptions
}

/**
 * Records the spawn and releases the claim of the attempt that it supersedes. Returns `changed` if the task has
 * changed since it was read: the caller must then make the prompt again.
 */
export const recordSpawn = async (
  context: Context,
  spawn: Spawn,
  replace: Replaceable,
): Promise<Result<'kept' | 'changed', 'claim.held'>> => {
  const terms = await termsNow(context, spawn)
  return context.write(async (tx): Promise<Result<'kept' | 'changed', 'claim.held'>> => {
    const { task, prompt } = spawn
    const { id } = task.row
    const row = await tasks.find(tx.db, id)
    const latest = await spawns.latest(tx.db, id)
    if (row?.updated_at !== task.row.updated_at || latest?.id !== task.latest?.id) return ok('changed')
    const held = claimFault({ claim: await claims.holder(tx.db, id), now: tx.now }, context.actor, replace)
    if (held[0]) return failAll([held[0]])
    if (row.status === 'active') await transition(tx, row, { to: 'pending' })
    await insert(tx, context, spawn, terms)
    await criteria.reopen(tx.db, id)
    await tx.record({ task: id, after: { spawn: prompt.spawnId, hash: prompt.hash } })
    tx.emit('spawn.created', id, prompt.spawnId)
    return ok('kept')
  })
}

const termsNow = async (
  { host, root, config }: Context,
  { task: { latest }, loaded: { facts }, options }: Spawn,
): Promise<SpawnTerms> => {
  const began = latest ? termsOf(latest)?.began : await headOf(host, options.worktree ?? root)
  return {
    required: facts.gates,
    reports: config.gates?.reports ?? false,
    git: facts.git,
    ...(began && { began }),
  }
}

const insert = (tx: Write, context: Context, spawn: Spawn, terms: SpawnTerms): Promise<void> => {
  const { actor, session } = context
  const { task, loaded, prompt, options } = spawn
  return spawns.insert(tx.db, {
    id: prompt.spawnId,
    task: task.row.id,
    attempt: parseSpawnId(prompt.spawnId)!.attempt,
    protocol: loaded.facts.protocol,
    tier: loaded.facts.tier,
    hash: prompt.hash,
    tokens: prompt.tokens,
    actor: actor.id,
    session: session?.id ?? null,
    at: tx.now,
    asked: JSON.stringify(options),
    report: JSON.stringify({ ...promptReport(loaded, prompt), commands: loaded.pins, terms }),
    prompt: prompt.prompt,
  })
}

export const promptReport = ({ warnings }: LoadedPrompt, prompt: ComposedPrompt, notes: string[] = []) => ({
  skills: prompt.skills,
  counted: prompt.counted,
  budget: prompt.budget,
  tokenResolution: prompt.tokenResolution,
  warnings: [...warnings, ...notes, ...prompt.warnings],
})

export type PromptReport = ReturnType<typeof promptReport>
