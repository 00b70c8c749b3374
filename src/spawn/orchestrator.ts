import type { SpawnRow } from '../claims/sql/spawns.ts'
import { clientThreadIn } from '../kernel/actor.ts'
import { type Fault, fail } from '../kernel/result.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import type { Replaceable, TaskToSpawn } from './task-to-spawn.ts'

/** Who asks for spawns. Orchestrators differ by actor, session or client thread; without any of these they are one. */
export type Orchestrator = Pick<SpawnRow, 'actor' | 'session' | 'thread'>

export const orchestratorOf = ({ actor, session, host }: Context): Orchestrator => ({
  actor: actor.id,
  session: session?.id ?? null,
  thread: clientThreadIn(host.env) ?? null,
})

/** True if this orchestrator asked for the spawn. */
export const askedFor = (spawn: Orchestrator, { actor, session, thread }: Orchestrator): boolean =>
  spawn.actor === actor && spawn.session === session && spawn.thread === thread

/** False if a later attempt was given out before a restore: then the spawn's agent can no longer act. */
export const isLastGiven = (latest: SpawnRow, next: number): boolean => latest.attempt + 1 === next

/**
 * Refuses a task whose last spawn another orchestrator asked for and may still start. That orchestrator has one lease
 * of time for it; a spawn that has returned is not reserved.
 */
export const reservedFault = (
  { row, latest, attempt, now }: Pick<TaskToSpawn, 'row' | 'latest' | 'attempt' | 'now'>,
  { orchestrator, lease, replace }: { orchestrator: Orchestrator; lease: number; replace: Replaceable },
): Fault<'spawn.reserved'>[] => {
  if (!latest || latest.started_at !== null || latest.back_at !== null || replace === true) return []
  if (!isLastGiven(latest, attempt)) return []
  if (askedFor(latest, orchestrator) || latest.at + lease <= now) return []
  const { id, at } = latest
  const facts = { id, task: row.id, by: nameOf(latest, orchestrator), at: iso(at), until: iso(at + lease) }
  return [{ path: 'id', failure: fail('spawn.reserved', facts) }]
}

/** Names an orchestrator by what differs from the one that reads it. */
const nameOf = (spawn: Orchestrator, reader: Orchestrator): string => {
  const session = spawn.session === reader.session ? '' : sessionName(spawn.session)
  const thread = spawn.thread === reader.thread ? '' : threadName(spawn.thread)
  return [spawn.actor, session, thread].filter(Boolean).join(' ')
}

const sessionName = (session: string | null): string =>
  session ? `in session ${session}` : 'without a session'

const threadName = (thread: string | null): string => (thread ? `(${thread})` : 'outside an agent client')
