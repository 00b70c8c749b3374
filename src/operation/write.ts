import * as audit from '../audit/sql.ts'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { fail, Refused, type Result, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'
import type { Change, Context, Emitted, Write } from './context.ts'

/** Carries a result out of a transaction that must not be kept. */
class Undone extends Error {
  readonly result: Result<unknown>
  constructor(result: Result<unknown>) {
    super('rolled back')
    this.result = result
  }
}

/** Makes `context.write`: transaction, audit log, fence, and the hooks once all of it is safe on disk. */
export const writer =
  (context: Omit<Context, 'write'>, operation: string): Context['write'] =>
  async (work) => {
    const emitted: Emitted[] = []
    const outcome = await context.store
      .tx(async (db) => {
        // The store may run this again after a lost connection: what the first try said does not count.
        emitted.length = 0
        await refuseSuperseded(db, context.actor.id)
        const now = await db.now()
        const result = await work({
          db,
          now,
          actor: context.actor,
          record: (change) => record(db, context, { operation, now }, change),
          emit: (event, task, spawn) => emitted.push({ event, task, spawn }),
        })
        if (!result.ok || context.dryRun) throw new Undone(result)
        return result
      })
      .catch((error) => {
        if (error instanceof Undone) return error.result as Awaited<ReturnType<typeof work>>
        throw error
      })
    if (!outcome.ok || context.dryRun) return outcome
    const warnings = await tellHooks(context, operation, emitted)
    return warnings.length === 0
      ? outcome
      : { ...outcome, warnings: [...(outcome.warnings ?? []), ...warnings] }
  }

/** Writes what is not to be kept, for the faults that show only when it is tried. */
export const attempt = async (
  write: Context['write'],
  work: (tx: Write) => Promise<unknown>,
): Promise<void> => {
  await write(async (tx) => {
    await work(tx)
    return fail('input.invalid', { problems: [] })
  })
}

/** A spawn whose task was handed out again is late, whatever it wants to write; one that is still to come is nobody. */
export const refuseSuperseded = async (db: Db, actor: string): Promise<void> => {
  const spawn = parseSpawnId(actor)
  const last = spawn && (await spawns.lastAttempt(db, spawn.task))
  if (!last) return
  if (spawn.attempt < last.attempt) refuse('spawn.superseded', { id: actor, by: last.id })
  if (spawn.attempt > last.attempt) refuse('spawn.not_found', { id: actor })
}

const record = async (
  db: Db,
  { actor, session }: Omit<Context, 'write'>,
  { operation, now }: { operation: string; now: number },
  { task, before, after }: Change,
): ReturnType<Write['record']> => {
  if (task && (await claims.isLost(db, task, actor.id))) {
    const holder = await claims.holder(db, task)
    refuse('claim.lost', { id: task, actor: actor.id, owner: holder?.owner })
  }
  await audit.append(db, {
    at: now,
    actor: actor.id,
    session: session?.id ?? null,
    operation,
    task: task ?? null,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  })
}

/** The write is on disk by now: what keeps the hooks from being told is a warning, never a refusal. */
const tellHooks = async (
  context: Omit<Context, 'write'>,
  operation: string,
  emitted: Emitted[],
): Promise<string[]> => {
  const wanted = emitted.filter(({ event }) => context.config.hooks?.[event]?.length)
  if (wanted.length === 0) return []
  try {
    return await context.runHooks(context, operation, wanted)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [`hooks not told: ${error.message}`]
  }
}
