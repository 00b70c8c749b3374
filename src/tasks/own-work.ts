import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { type Failure, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from './sql/tasks.ts'
import { heldBySpawn } from './transition.ts'

/**
 * If a task belongs to a spawn, refuses a change by an agent that does not act as a spawn. Either this agent is the
 * spawn and forgot `--as`, or the task belongs to another agent. A person at a terminal may change the task. Callers
 * that act as spawns are checked by `refuseForeignTask`.
 */
export const heldForAgents = async (
  { host, actor }: Pick<Context, 'host' | 'actor'>,
  db: Db,
  { id, attempt_out }: TaskRow,
): Promise<Failure<'claim.held'> | undefined> => {
  if (attempt_out === 0 || parseSpawnId(actor.id)) return undefined
  // Load this module only when needed: few tasks are spawned, and a spawned task is usually changed by its own spawn.
  const { runByAgent } = await import('../project/people.ts')
  return runByAgent(host, actor) ? heldBySpawn(db, `${id}.${attempt_out}`, actor) : undefined
}

/**
 * A subagent may change its own task, the tasks below its task, and the tasks that it added. On other tasks it may only
 * write notes. If it could cancel another agent's task, the dependents of that task could start, although the contract
 * of that task is not met.
 */
export const refuseForeignTask = async (
  { db, actor }: Pick<Write, 'db' | 'actor'>,
  task: TaskRow,
  verb: string,
): Promise<void> => {
  const own = parseSpawnId(actor.id)?.task
  if (own === undefined || parseSpawnId(task.origin)?.task === own) return
  // If the claim is lost, the fence refuses the write later, with a better message.
  if (await claims.isLost(db, task.id, actor.id)) return
  const line = await tasks.lineage(db, task.id)
  // A subagent may not cancel or reopen its own task; only the caller that spawned the subagent may.
  const below = verb === 'cancel' || verb === 'reopen' ? line.slice(1) : line
  if (!below.some(({ id }) => id === own)) refuse('task.foreign', { id: task.id, actor: actor.id, own, verb })
}

/**
 * A subagent may add tasks to any epic, but not below a task of another agent. Open children would stop the other
 * agent: a task with open children can be neither worked on nor completed.
 */
export const refuseForeignParents = async (
  { db, actor }: Pick<Write, 'db' | 'actor'>,
  ids: Iterable<string>,
): Promise<void> => {
  if (!parseSpawnId(actor.id)) return
  for (const row of (await tasks.findMany(db, [...new Set(ids)])).values())
    if (row.type !== 'epic') await refuseForeignTask({ db, actor }, row, 'add to')
}

/** A subagent may not change the contract of the task it was spawned for. */
export const refuseContractChange = async (
  { db, actor }: Write,
  task: TaskRow,
  fields: readonly string[],
): Promise<void> => {
  if (parseSpawnId(actor.id)?.task !== task.id || !(await spawns.lastAttempt(db, task.id))) return
  const asked = fields.filter((field) => contract.includes(field))
  if (asked.length > 0) refuse('task.contract', { id: task.id, actor: actor.id, fields: asked })
}

const contract: readonly string[] = [
  'description',
  'acceptance',
  'addAcceptance',
  'removeAcceptance',
  'stage',
  'type',
  'parent',
  'depends',
  'addDepends',
  'removeDepends',
  'files',
  'addFiles',
  'removeFiles',
]
