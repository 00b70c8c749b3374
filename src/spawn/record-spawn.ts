import * as claims from '../claims/sql/claims.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Baseline, SpawnTerms } from '../evidence/spawn-terms.ts'
import { failAll, ok, type Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import { key } from '../project/trust-records.ts'
import type { CommandChange } from '../project-commands/spawn-commands.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import type { ComposedPrompt } from './compose-prompt.ts'
import type { LoadedPrompt } from './load-prompt.ts'
import { orchestratorOf, outFault, type ReplaceRules } from './orchestrator.ts'
import { claimFault, type TaskToSpawn } from './task-to-spawn.ts'

export interface Spawn {
  task: TaskToSpawn
  loaded: LoadedPrompt
  prompt: ComposedPrompt
  options: SpawnOptions
  /** Which tests fail before the agent starts, if `gates.baseline` is set. */
  baseline?: Baseline
  /** True if a person chose the gates of the spawn by naming the protocol. */
  chosen: boolean
  /** A promise, because git might still be collecting the terms. */
  terms: Promise<SpawnTerms>
}

type HeldCode = 'claim.held' | 'spawn.reserved' | 'spawn.out'

/**
 * Releases the claim of the superseded attempt. If the task has changed since it was read, returns `changed`, and the
 * caller must compose the prompt again.
 */
export const recordSpawn = async (
  context: Context,
  spawn: Spawn,
  rules: ReplaceRules,
): Promise<Result<'kept' | 'changed', HeldCode>> => {
  const { baseline, chosen } = spawn
  const terms: SpawnTerms = {
    ...(await spawn.terms),
    ...(chosen && { chosen }),
    ...(baseline && { baseline }),
  }
  return context.write(async (tx): Promise<Result<'kept' | 'changed', HeldCode>> => {
    const { task, prompt } = spawn
    const { id } = task.row
    const row = await tasks.find(tx.db, id)
    const latest = await spawns.latest(tx.db, id)
    if (row?.updated_at !== task.row.updated_at || latest?.id !== task.latest?.id) return ok('changed')
    // Check again in the transaction whether the task may be spawned. Its agent might have started or run a command
    // since the task was read.
    const current = { row, latest, attempt: task.attempt, claim: await claims.holder(tx.db, id), now: tx.now }
    const held = [...claimFault(current, context.actor, rules.replace), ...outFault(current, rules)]
    if (held[0]) return failAll([held[0]])
    if (row.status === 'active') await transition(tx, row, { to: 'pending' })
    await insert(tx, context, spawn, terms)
    if (spawn.loaded.changes.length > 0) await askAboutCommands(tx, id, spawn.loaded.changes)
    await criteria.reopen(tx.db, id)
    await tx.record({ task: id, after: { spawn: prompt.spawnId, hash: prompt.hash } })
    tx.emit('spawn.created', id, { spawn: prompt.spawnId })
    return ok('kept')
  })
}

const insert = (tx: Write, context: Context, spawn: Spawn, terms: SpawnTerms): Promise<void> => {
  const { task, loaded, prompt, options } = spawn
  return spawns.insert(tx.db, {
    id: prompt.spawnId,
    task: task.row.id,
    attempt: parseSpawnId(prompt.spawnId)!.attempt,
    protocol: loaded.facts.protocol,
    tier: loaded.facts.tier,
    hash: prompt.hash,
    tokens: prompt.tokens,
    ...orchestratorOf(context),
    at: tx.now,
    asked: JSON.stringify(options),
    report: JSON.stringify({ ...promptReport(loaded, prompt), commands: loaded.pins, terms }),
    prompt: prompt.prompt,
  })
}

export const promptReport = (
  { reason, warnings }: LoadedPrompt,
  prompt: ComposedPrompt,
  notes: string[] = [],
) => ({
  reason,
  skills: prompt.skills,
  counted: prompt.counted,
  budget: prompt.budget,
  tokenResolution: prompt.tokenResolution,
  warnings: [...warnings, ...notes, ...prompt.warnings],
})

export type PromptReport = ReturnType<typeof promptReport>

/**
 * Asks a person about the commands that changed since the last spawn, because an agent might have made these changes.
 */
const askAboutCommands = async (
  tx: Write,
  task: string,
  changes: readonly CommandChange[],
): Promise<void> => {
  const { recordQuestion, trustOperation } = await import('../questions/ask.ts')
  for (const { tool, why, item } of changes)
    await recordQuestion(tx, trustOperation, task, {
      kind: 'person',
      matter: item ? `trust ${key(item)} ${item.sha256}` : `trust removed ${tool}`,
      asked: JSON.stringify({ operation: trustOperation, ...(item && { item }), why }),
    })
}
