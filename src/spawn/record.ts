import * as claims from '../claims/sql/claims.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { type SpawnTerms, termsOf } from '../evidence/spawn-terms.ts'
import type { Host } from '../host/host.ts'
import { headOf } from '../host/repository.ts'
import { resolvePath } from '../kernel/path.ts'
import { failAll, ok, type Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { claimFault, type Replaceable } from './checklist.ts'
import type { Finished } from './finish.ts'
import type { Gathered } from './gather.ts'
import type { Prepared } from './prepare.ts'

export interface Recording {
  gathered: Gathered
  prepared: Prepared
  finished: Finished
  wishes: SpawnOptions
  replace: Replaceable
}

/**
 * Keeps the spawn, unless the task has changed since it was read: then `changed`, and everything starts anew. An
 * attempt supersedes those before it, so a claim of theirs goes with them.
 */
export const record = async (
  context: Context,
  recording: Recording,
): Promise<Result<'kept' | 'changed', 'claim.held'>> => {
  const terms = await termsNow(context, recording)
  return context.write(async (tx): Promise<Result<'kept' | 'changed', 'claim.held'>> => {
    const { gathered, finished, replace } = recording
    const { id } = gathered.row
    const row = await tasks.find(tx.db, id)
    const latest = await spawns.latest(tx.db, id)
    if (row?.updated_at !== gathered.row.updated_at || latest?.id !== gathered.latest?.id)
      return ok('changed')
    const held = claimFault({ claim: await claims.holder(tx.db, id), now: tx.now }, context.actor, replace)
    if (held[0]) return failAll([held[0]])
    if (row.status === 'active') await transition(tx, row, { to: 'pending' })
    await insert(tx, context, recording, terms)
    await criteria.reopen(tx.db, id)
    await tx.record({ task: id, after: { spawn: finished.spawnId, hash: finished.hash } })
    tx.emit('spawn.created', id, finished.spawnId)
    return ok('kept')
  })
}

const termsNow = async (
  { host, root, config }: Context,
  { gathered: { latest }, prepared: { facts }, wishes }: Recording,
): Promise<SpawnTerms> => {
  const began = latest ? termsOf(latest)?.began : await headOf(host, absolute(host, wishes).worktree ?? root)
  return {
    required: facts.gates,
    reports: config.gates?.reports ?? false,
    git: facts.git,
    ...(began && { began }),
  }
}

const insert = (tx: Write, context: Context, recording: Recording, terms: SpawnTerms): Promise<void> => {
  const { actor, session, host } = context
  const { gathered, prepared, finished, wishes } = recording
  const { spawnId, hash, tokens, prompt } = finished
  return spawns.insert(tx.db, {
    id: spawnId,
    task: gathered.row.id,
    attempt: parseSpawnId(spawnId)!.attempt,
    protocol: prepared.facts.protocol,
    tier: prepared.facts.tier,
    hash,
    tokens,
    actor: actor.id,
    session: session?.id ?? null,
    at: tx.now,
    asked: JSON.stringify({ ...wishes, ...absolute(host, wishes) }),
    report: JSON.stringify({ ...reportOf(prepared, finished), commands: prepared.pins, terms }),
    prompt,
  })
}

/** Whoever reads it stands somewhere else. */
const absolute = ({ cwd, files }: Host, { worktree }: SpawnOptions): Pick<SpawnOptions, 'worktree'> =>
  worktree === undefined ? {} : { worktree: files.realPath(resolvePath(cwd, worktree)) }

export const reportOf = ({ warnings }: Prepared, finished: Finished) => ({
  skills: finished.skills,
  counted: finished.counted,
  budget: finished.budget,
  tokenResolution: finished.tokenResolution,
  warnings: [...warnings, ...finished.warnings],
})

export type Report = ReturnType<typeof reportOf>
