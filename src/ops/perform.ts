import type { Actor } from '../model/actor.ts'
import { leaseMs } from '../model/lease.ts'
import { check } from '../model/problems.ts'
import { type Failure, fail, ok, Refused, type Result, refuse } from '../model/result.ts'
import * as claims from '../store/claims.ts'
import type { SessionRow } from '../store/sessions.ts'
import * as sessions from '../store/sessions.ts'
import * as tasks from '../store/tasks.ts'
import type { Connection } from './connection.ts'
import type { Context, Project } from './context.ts'
import { estimateFix, isEstimate } from './estimates.ts'
import type { Operation } from './operation.ts'
import { writer } from './write.ts'

export interface Caller {
  actor: Actor
  sessionId?: string
  dryRun: boolean
}

/**
 * Runs one operation for any surface: checks the input, opens what it needs, lets it work and renews the
 * caller's claims. The one place where a thrown refusal becomes a value again.
 */
export const perform = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
): Promise<Result<unknown>> => {
  try {
    const checked = check(operation.input, input)
    if (!checked.ok) {
      if (checked.unknown.some(isEstimate)) return await refuseEstimate(operation, input, connection)
      return fail('input.invalid', { problems: checked.problems })
    }
    if (operation.personOnly && caller.actor.agent) {
      return fail('person.needed', { operation: operation.name, actor: caller.actor.id })
    }
    const world = {
      host: connection.host,
      named: connection.named,
      actor: caller.actor,
      dryRun: caller.dryRun,
    }
    const needs = operation.needs ?? 'store'
    if (needs === 'world') return await operation.run(checked.value, world)
    const project: Project = { ...world, ...(await connection.project()) }
    if (needs === 'project') return await operation.run(checked.value, project)

    const store = await connection.store()
    const context: Context = { ...project, store, write: (work) => writer(context, operation.name)(work) }
    if (caller.sessionId) context.session = await findSession(context, caller.sessionId, operation)
    const result = await operation.run(checked.value, context)
    return caller.dryRun ? result : await renewClaims(context, result)
  } catch (error) {
    if (error instanceof Refused) return error.failure
    throw error
  }
}

const findSession = async (
  { store }: Context,
  id: string,
  { kind, name }: Operation,
): Promise<SessionRow> => {
  const session = (await sessions.find(store, id)) ?? refuse('session.not_found', { id })
  const ended = session.status === 'ended'
  if (ended && kind === 'mutate' && name !== 'session.resume') refuse('session.ended', { id })
  return session
}

/**
 * Liveness comes from any command the owner runs, refused ones too; one write per half lease, so that reads stay
 * reads. What the command did is done by now: nothing here may turn its answer into a refusal.
 */
const renewClaims = async (
  { store, actor, config }: Context,
  result: Result<unknown>,
): Promise<Result<unknown>> => {
  try {
    const lease = leaseMs(config)
    const now = await store.now()
    if (await claims.needsRenewal(store, actor.id, now + lease / 2))
      await store.tx((db) => claims.renew(db, actor.id, now + lease))
    return result
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (!result.ok) return result
    return ok(result.value, {
      ...result,
      warnings: [...(result.warnings ?? []), `claim not renewed: ${error.message}`],
    })
  }
}

const refuseEstimate = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
): Promise<Failure> => {
  const scope = await connection.store().then(tasks.scope)
  return fail('estimate.refused', { ...scope, fix: estimateFix(operation, input) })
}
