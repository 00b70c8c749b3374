import type { ContractCode } from '../evidence/contract-codes.ts'
import type { Code } from '../kernel/catalogue.ts'
import { type Failure, fail, type Result } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Permit } from '../tasks/permit.ts'
import { unrestricted } from './permit-for.ts'

/** What a change learns of whether a task may be done. */
export type Permission =
  | { may: true; permit: Permit; warnings: string[] }
  | { may: false; failure: Failure<ContractCode> }

export interface Permits {
  /**
   * Undefined where that has to be looked into first, outside of the transaction: whoever asked gives up what it
   * has done, and is called again with the answer.
   */
  of(tx: Write, task: TaskRow): Promise<Permission | undefined>
}

/** Somebody else may write in between; more often than this is not by chance. */
const mostTries = 5

/**
 * Changes something that may make tasks done. What their contracts rest on is looked at outside of the transaction,
 * which then only asks whether anything has moved since.
 */
export const underContract = async <T, C extends Code>(
  context: Context,
  id: string,
  change: (tx: Write, permits: Permits) => Promise<Result<T, C>>,
): Promise<Result<T, C | 'task.changed'>> => {
  const known = new Map<string, Permission>()
  for (let tries = 0; tries < mostTries; tries++) {
    const asked = new Set<string>()
    const result = await context.write<Result<T, C | 'task.changed'>>(async (tx) => {
      asked.clear()
      const changed = await change(tx, permitsOf(context, known, asked))
      return asked.size > 0 ? fail('task.changed', { id }) : changed
    })
    if (asked.size === 0) return result
    // Most tasks are nobody's business but the caller's: the rest is loaded by those that were handed out.
    const { lookInto } = await import('./look-into.ts')
    for (const task of asked) known.set(task, await lookInto(context, task))
  }
  return fail('task.changed', { id })
}

const permitsOf = (
  { config }: Context,
  known: ReadonlyMap<string, Permission>,
  asked: Set<string>,
): Permits => ({
  async of({ db }, task) {
    const permission = known.get(task.id) ?? (config.gates?.always ? undefined : free(task.id))
    // A refusal stands as it is: to find out that it no longer does, somebody asks again.
    if (permission && (!permission.may || (await permission.permit.holds(db, task)))) return permission
    asked.add(task.id)
    return undefined
  },
})

const free = (id: string): Permission => ({ may: true, permit: unrestricted(id), warnings: [] })
