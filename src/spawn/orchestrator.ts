import { lastCommand } from '../claims/quiet.ts'
import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { clientThreadIn } from '../kernel/actor.ts'
import { type Fault, fail } from '../kernel/result.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'

/**
 * Identifies who asks for spawns. Two orchestrators differ in actor, session or client thread. If an actor has no
 * session and no thread, all its calls count as one orchestrator.
 */
export type Orchestrator = Pick<SpawnRow, 'actor' | 'session' | 'thread'>

export const orchestratorOf = ({ actor, session, host }: Context): Orchestrator => ({
  actor: actor.id,
  session: session?.id ?? null,
  thread: clientThreadIn(host.env) ?? null,
})

export const askedFor = (spawn: Orchestrator, { actor, session, thread }: Orchestrator): boolean =>
  spawn.actor === actor && spawn.session === session && spawn.thread === thread

/**
 * False if the task was spawned again after `latest`, but a restored backup lacks the later spawns. In that case CLEO
 * refuses the commands of `latest`, so do not reuse `latest`, and do not wait for it. `next` is the number of the next
 * attempt.
 */
export const isLastGiven = (latest: SpawnRow, next: number): boolean => latest.attempt + 1 === next

/** The facts that decide who may take a task away from its spawn. */
export interface ReplaceRules {
  orchestrator: Orchestrator
  /** How many milliseconds an unstarted spawn is reserved for the orchestrator that asked for it. */
  lease: number
  /** A spawn counts as quiet after this many milliseconds without activity. */
  quiet: number
  /** When a file in the spawn's worktree last changed; 0 if not known. */
  lastChange: number
  /** True if a person asks to replace the spawn that has the task. */
  replace: boolean
}

/**
 * Refuses to spawn a task that is out, unless its spawn may be replaced. These may replace a spawn:
 * - the orchestrator that asked for the spawn, until an agent has started the spawn
 * - the actor that asked for the spawn, in any session, if the spawn's return was refused
 * - any orchestrator, if the spawn is quiet, or if its lease ended before an agent started it
 * - any orchestrator, if a restored backup lacks later spawns of the task (`isLastGiven`)
 * - a person, always
 */
export const outFault = (
  { row, latest, attempt, now }: Pick<TaskToSpawn, 'row' | 'latest' | 'attempt' | 'now'>,
  rules: ReplaceRules,
): Fault<'spawn.reserved' | 'spawn.out'>[] => {
  const { orchestrator, lease, quiet, lastChange, replace } = rules
  if (!latest || latest.attempt !== row.attempt_out || replace || !isLastGiven(latest, attempt)) return []
  const quietAt = Math.max(lastCommand(latest), lastChange) + quiet
  const wasRefused = latest.back_at !== null && latest.actor === orchestrator.actor
  if (quietAt <= now || wasRefused) return []
  const { id, at, started_at } = latest
  const facts = { id, task: row.id, by: nameOf(latest, orchestrator), at: iso(at) }
  if (started_at !== null)
    return [{ path: 'task', failure: fail('spawn.out', { ...facts, quietAt: iso(quietAt) }) }]
  if (askedFor(latest, orchestrator) || at + lease <= now) return []
  return [{ path: 'task', failure: fail('spawn.reserved', { ...facts, until: iso(at + lease) }) }]
}

/**
 * Returns the time at which a file in the worktree of a task's spawn last changed; 0 if the spawn has no worktree. Also
 * returns 0 if the spawn ran a command recently: such a spawn is not quiet, so there is no need to read the worktree.
 */
export const lastChangeOf = async (
  { host }: Context,
  { row, latest, now }: TaskToSpawn,
  quiet: number,
): Promise<number> => {
  const worktree = row.attempt_out > 0 && optionsOf(latest)?.worktree
  if (!latest || !worktree || lastCommand(latest) + quiet > now) return 0
  const { lastChangeIn } = await import('../git/last-change.ts')
  return lastChangeIn(host, worktree, now - quiet)
}

/**
 * Describes the orchestrator of a spawn to another orchestrator, `reader`. Names the session only if `reader` has
 * another session, and the thread only if `reader` has another thread.
 */
const nameOf = (spawn: Orchestrator, reader: Orchestrator): string => {
  const session = spawn.session === reader.session ? '' : sessionName(spawn.session)
  const thread = spawn.thread === reader.thread ? '' : threadName(spawn.thread)
  return [spawn.actor, session, thread].filter(Boolean).join(' ')
}

const sessionName = (session: string | null): string =>
  session ? `in session ${session}` : 'without a session'

const threadName = (thread: string | null): string => (thread ? `(${thread})` : 'outside an agent client')
