import * as spawns from '../claims/sql/spawns.ts'
import type { Code } from '../kernel/refusal-catalogue.ts'
import { fail, type Result } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { openCriterion } from '../tasks/acceptance.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import type { Permit } from '../tasks/transition.ts'
import type { Permission } from './permission.ts'

export interface Permits {
  /**
   * Returns undefined if the contract of the task has not been checked yet. The caller must then abandon its change.
   * The change runs again once the contract has been checked outside the transaction.
   */
  of(tx: Write, task: TaskRow): Promise<Permission | undefined>
  /** The rules of votes; undefined if they are not loaded yet: then the change runs again, as with `of`. */
  votes(): VoteRules | undefined
}

type VoteRules = typeof import('../consensus/settle-round.ts')

/** How often a change is tried if other agents keep writing between the contract check and the transaction. */
const mostTries = 5

/**
 * Runs a change that may make tasks done. The contracts of these tasks are checked outside the transaction, because
 * the check reads files and runs git. The transaction only makes sure that nothing has changed since the check. The
 * task itself is checked against the work of the spawn `attempt`, if given; `own` is the result of that check, if it was
 * made already.
 */
export const withContractCheck = async <T, C extends Code>(
  context: Context,
  id: string,
  change: (tx: Write, permits: Permits) => Promise<Result<T, C>>,
  { attempt, own }: { attempt?: string; own?: Permission } = {},
): Promise<Result<T, C | 'task.changed'>> => {
  const known = new Map<string, Permission>(own ? [[id, own]] : [])
  const votes: LoadedRules = { needed: false }
  for (let tries = 0; tries < mostTries; tries++) {
    const unchecked = new Set<string>()
    const result = await context.write<Result<T, C | 'task.changed'>>(async (tx) => {
      unchecked.clear()
      const changed = await change(tx, {
        of: permitsFrom(context, known, unchecked),
        votes: rulesFrom(votes),
      })
      return unchecked.size > 0 || lacksRules(votes) ? fail('task.changed', { id }) : changed
    })
    // Loaded only when needed, and outside the transaction: few tasks are put to the vote.
    if (lacksRules(votes)) votes.rules = await import('../consensus/settle-round.ts')
    else if (unchecked.size === 0) return result
    if (unchecked.size === 0) continue
    // Loaded only when needed: most tasks were never spawned and have no contract to check.
    const { permissionFor } = await import('./permission.ts')
    for (const task of unchecked)
      known.set(task, await permissionFor(context, task, task === id ? attempt : undefined))
  }
  return fail('task.changed', { id })
}

const permitsFrom =
  ({ config }: Context, known: ReadonlyMap<string, Permission>, unchecked: Set<string>): Permits['of'] =>
  async ({ db }, task) => {
    const permission =
      known.get(task.id) ?? (config.gates?.always ? undefined : await withoutContract(db, task.id))
    // A refusal is returned even if it may be out of date; the user can run the command again.
    if (permission && (!permission.may || (await permission.permit.holds(db, task)))) return permission
    unchecked.add(task.id)
    return undefined
  }

interface LoadedRules {
  needed: boolean
  rules?: VoteRules
}

const lacksRules = ({ needed, rules }: LoadedRules): boolean => needed && rules === undefined

const rulesFrom = (votes: LoadedRules) => (): VoteRules | undefined => {
  votes.needed = true
  return votes.rules
}

export const withPermit = (permit: Permit, warnings: string[] = []): Permission => ({
  may: true,
  permit,
  warnings,
})

/** A task that was never spawned needs no evidence; warnings name its open criteria. */
const withoutContract = async (db: Db, task: string): Promise<Permission> => {
  const open = (await criteria.read(db, task)).filter(({ state }) => state !== 'met' && state !== 'waived')
  return withPermit(permitWithoutContract(task), open.map(openCriterion))
}

/** The permit of a task that was never spawned and has no entry, and so needs no evidence. Valid until it has one. */
export const permitWithoutContract = (task: string): Permit => ({
  task,
  outcome: 'complete',
  holds: async (db) =>
    (await spawns.lastAttempt(db, task)) === undefined &&
    (await entries.deciding(db, task, undefined)) === undefined,
})
