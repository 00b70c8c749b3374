import { type Failure, fail, Refused, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'
import * as claims from './sql/claims.ts'
import * as spawns from './sql/spawns.ts'

/**
 * The fence refuses writes of agents that no longer own the task. Inside the transaction of any command, every
 * recorded change of a task calls `refuseLostClaim`, and every write of a spawn calls `refuseSuperseded`.
 */
export const refuseLostClaim = async (db: Db, task: string, actor: string): Promise<void> => {
  const failure = await lostClaim(db, task, actor)
  if (failure) throw new Refused(failure)
}

/** Returns the refusal for an actor whose task another agent has claimed; undefined for other actors. */
export const lostClaim = async (
  db: Db,
  task: string,
  actor: string,
): Promise<Failure<'claim.lost'> | undefined> => {
  if (!(await claims.isLost(db, task, actor))) return undefined
  const holder = await claims.holder(db, task)
  return fail('claim.lost', { id: task, actor, owner: holder?.owner })
}

/** Refuses a spawn that was replaced by a later one, and a spawn id that does not exist yet. */
export const refuseSuperseded = async (db: Db, actor: string): Promise<void> => {
  const spawn = parseSpawnId(actor)
  const last = spawn && (await spawns.lastAttempt(db, spawn.task))
  if (!last) return
  if (spawn.attempt < last.attempt) refuse('spawn.superseded', { id: actor, by: last.id })
  if (spawn.attempt > last.attempt) refuse('spawn.not_found', { id: actor })
}
