import * as audit from '../audit/sql.ts'
import { refuseLostClaim, refuseSuperseded } from '../claims/fence.ts'
import { fail, Refused, type Result } from '../kernel/result.ts'
import { portions } from '../store/port.ts'
import type { Change, Context, EmittedEvent, Write } from './context.ts'

/** Carries a result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly result: Result<unknown>
  constructor(result: Result<unknown>) {
    super('rolled back')
    this.result = result
  }
}

/**
 * Makes `context.write`. It runs a transaction and, after the commit, the hooks. The transaction writes the audit log
 * and refuses agents that no longer own the task.
 */
export const writer =
  (context: Omit<Context, 'write'>, operation: string): Context['write'] =>
  async (work) => {
    const emitted: EmittedEvent[] = []
    const outcome = await context.store
      .tx(async (db) => {
        // After a lost connection, the store can run this function a second time. So drop the events that the first
        // run collected.
        emitted.length = 0
        await refuseSuperseded(db, context.actor.id)
        const now = await db.now()
        let first: number | null = null
        const append = async (change: Change): Promise<void> => {
          const seq = await audit.append(db, { ...auditRow(context, { operation, now }, change), first })
          first ??= seq
        }
        const result = await work({
          db,
          now,
          actor: context.actor,
          record: async (change) => {
            if (change.task) await refuseLostClaim(db, change.task, context.actor.id)
            await append(change)
          },
          recordAdded: async (changes) => {
            const begun = first === null ? 1 : 0
            if (changes.length > 0 && begun > 0) await append(changes[0]!)
            for (const some of portions(changes.slice(begun))) {
              const rows = []
              for (const change of some)
                rows.push({ ...auditRow(context, { operation, now }, change), first })
              await audit.appendMany(db, rows)
            }
          },
          emit: (event, task, about) => emitted.push({ event, task, ...about }),
        })
        if (!result.ok || context.dryRun) throw new RolledBack(result)
        return result
      })
      .catch((error) => {
        if (error instanceof RolledBack) return error.result as Awaited<ReturnType<typeof work>>
        throw error
      })
    if (!outcome.ok || context.dryRun) return outcome
    const warnings = await runHooks(context, operation, emitted)
    return warnings.length === 0
      ? outcome
      : { ...outcome, warnings: [...(outcome.warnings ?? []), ...warnings] }
  }

/** Runs `work` in a transaction that always rolls back. So `work` can collect errors without changing anything. */
export const attempt = async (
  write: Context['write'],
  work: (tx: Write) => Promise<unknown>,
): Promise<void> => {
  await write(async (tx) => {
    await work(tx)
    return fail('input.invalid', { problems: [] })
  })
}

const auditRow = (
  { actor, session }: Omit<Context, 'write'>,
  { operation, now }: { operation: string; now: number },
  { task, before, after }: Change,
): Omit<audit.AuditRow, 'seq' | 'first'> => ({
  at: now,
  actor: actor.id,
  session: session?.id ?? null,
  operation,
  task: task ?? null,
  before: before ? JSON.stringify(before) : null,
  after: after ? JSON.stringify(after) : null,
})

/** The write is already committed, so a problem with a hook is only a warning. */
const runHooks = async (
  context: Omit<Context, 'write'>,
  operation: string,
  emitted: EmittedEvent[],
): Promise<string[]> => {
  const wanted = emitted.filter(({ event }) => context.config.hooks?.[event]?.length)
  if (wanted.length === 0) return []
  try {
    return await context.runHooks(context, operation, wanted)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [`hooks did not run: ${error.message}`]
  }
}
