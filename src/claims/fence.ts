import { type Failure, fail, Refused, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'
import * as claims from './sql/claims.ts'
import * as spawns from './sql/spawns.ts'

/**
 * Throws a refusal if the actor has lost its claim on the task to another agent. `writer` calls this function in the
 * transaction of each recorded change, and calls `refuseSuperseded` in every transaction. Together the two functions
 * are the fence: agents that no longer own a task cannot change it.
 */
export const refuseLostClaim = async (db: Db, task: string, actor: string): Promise<void> => {
  const failure = await lostClaim(db, task, actor)
  if (failure) throw new Refused(failure)
}

export const lostClaim = async (
  db: Db,
  task: string,
  actor: string,
): Promise<Failure<'claim.lost'> | undefined> => {
  if (!(await claims.isLost(db, task, actor))) return undefined
  const holder = await claims.holder(db, task)
  return fail('claim.lost', { id: task, actor, owner: holder?.owner })
}

/**
 * Refuses these spawns:
 * - a spawn whose task has a later attempt, even if that attempt is missing after a restore
 * - a spawn that is itself missing after a restore
 * - a spawn that never existed
 */
export const refuseSuperseded = async (db: Db, actor: string): Promise<void> => {
  const spawn = parseSpawnId(actor)
  if (!spawn) return
  const { task, attempt } = spawn
  const { last, given } = await spawns.attempts(db, task)
  if (attempt < last) refuse('spawn.superseded', { id: actor, by: `${task}.${last}` })
  if (attempt < given || (attempt === given && attempt !== last))
    refuse('spawn.restored', { id: actor, task })
  if (attempt !== last || attempt === 0) refuse('spawn.not_found', { id: actor })
}
