import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from './sql/tasks.ts'

/**
 * A subagent may change its own task, what is below it and what it added; on other tasks it may only write notes. A
 * cancelled task releases its dependents, so cancelling another agent's task would bypass a contract.
 */
export const refuseForeignTask = async (
  { db, actor }: Pick<Write, 'db' | 'actor'>,
  task: TaskRow,
  verb: string,
): Promise<void> => {
  const own = parseSpawnId(actor.id)?.task
  if (own === undefined || parseSpawnId(task.origin)?.task === own) return
  // A lost claim is reported before anything else.
  if (await claims.isLost(db, task.id, actor.id)) return
  const line = await tasks.lineage(db, task.id)
  // Only the caller that spawned it may cancel or reopen a subagent's own task.
  const below = verb === 'cancel' || verb === 'reopen' ? line.slice(1) : line
  if (!below.some(({ id }) => id === own)) refuse('task.foreign', { id: task.id, actor: actor.id, own, verb })
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
]
