import * as spawns from '../claims/sql/spawns.ts'
import { fail, type Result } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'
import { openCriterion } from '../standing/missing-requirements.ts'
import type { StartedGit } from '../standing/start-git.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import type { Permit } from '../tasks/transition.ts'
import type { Permission } from './permission.ts'

export interface Permits {
  /** `closing` is true for a parent whose last child is about to be done. */
  of(tx: Write, task: TaskRow, options?: { closing?: boolean }): Promise<Permission>
  votes(): VoteRules
}

type VoteRules = typeof import('../consensus/settle-round.ts')

/**
 * Thrown if a transaction needs facts that can be read only outside the transaction. `withContractCheck` catches this
 * error and calls `prepare`, which reads the facts. If `prepare` returns true, the change runs again. Otherwise the
 * command is refused.
 */
class Unprepared extends Error {
  readonly prepare: () => Promise<boolean>
  constructor(prepare: () => Promise<boolean>) {
    super('not prepared')
    this.prepare = prepare
  }
}

/**
 * A contract is checked at most this many times. The check is repeated if another agent writes between the check and
 * the transaction.
 */
const mostChecks = 5

/**
 * Runs a change that can make tasks done. The contracts of these tasks are checked outside the transaction, because
 * the check reads files and runs git. The transaction only makes sure that nothing has changed since the check.
 *
 * The options are about the task `id`. `attempt` is the spawn whose work is checked, by default the latest spawn.
 * `own` is the result of the check, if the caller has already checked the task. `started` are git processes that the
 * caller has started early, for the first check of the task.
 */
export const withContractCheck = async <T, C extends Code>(
  context: Context,
  id: string,
  change: (tx: Write, permits: Permits) => Promise<Result<T, C>>,
  { attempt, own, started }: { attempt?: string; own?: Permission; started?: StartedGit } = {},
): Promise<Result<T, C | 'task.changed'>> => {
  const known = new Map<string, Permission>(own ? [[id, own]] : [])
  const checks = new Map<string, number>()
  let rules: VoteRules | undefined
  const check = async (task: string, closing: boolean) => {
    const times = (checks.get(task) ?? 0) + 1
    if (times > mostChecks) return false
    checks.set(task, times)
    // Load this module only when needed: most tasks were never spawned and have no contract to check.
    const { permissionFor } = await import('./permission.ts')
    // Later checks start git again, because files can have changed.
    const options = { ...(task === id && { attempt, ...(times === 1 && { started }) }), closing }
    known.set(task, await permissionFor(context, task, options))
    return true
  }
  const permits: Permits = {
    of: async ({ db }, task, { closing = false } = {}) => {
      const always = context.config.gates?.always
      const permission = known.get(task.id) ?? (always ? undefined : await withoutContract(db, task.id))
      // Return a refusal even if it could be out of date: the user can run the command again.
      if (permission && (!permission.may || (await permission.permit.holds(db, task)))) return permission
      throw new Unprepared(() => check(task.id, closing))
    },
    votes: () => {
      if (rules) return rules
      throw new Unprepared(async () => {
        // Load this module only when needed: few tasks have a vote.
        rules = await import('../consensus/settle-round.ts')
        return true
      })
    },
  }
  for (;;)
    try {
      return await context.write((tx) => change(tx, permits))
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      if (!(await error.prepare())) return fail('task.changed', { id })
    }
}

export const withPermit = (permit: Permit, warnings: string[] = []): Permission => ({
  may: true,
  permit,
  warnings,
})

/**
 * Returns the permit of a task that was never spawned, with a warning for each open criterion. Such a task needs no
 * evidence.
 */
const withoutContract = async (db: Db, task: string): Promise<Permission> => {
  const open = (await criteria.read(db, task)).filter(({ state }) => state !== 'met' && state !== 'waived')
  return withPermit(permitWithoutContract(task), open.map(openCriterion))
}

/**
 * A task that has no spawn and no entry needs no evidence. The permit is valid until the task gets a spawn or an entry.
 */
export const permitWithoutContract = (task: string): Permit => ({
  task,
  outcome: 'complete',
  holds: async (db) =>
    (await spawns.lastAttempt(db, task)) === undefined &&
    (await entries.deciding(db, task, undefined)) === undefined,
})
