import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from './sql/tasks.ts'

/**
 * A subagent decides on its own task, on what is below it and on what it has added; of the rest it may write notes. A
 * cancelled task satisfies those that wait for it: closing that of a colleague would be a way around its contract.
 */
export const keepToOwnWork = async (
  { db, actor }: Pick<Write, 'db' | 'actor'>,
  task: TaskRow,
  verb: string,
): Promise<void> => {
  const own = parseSpawnId(actor.id)?.task
  if (own === undefined || parseSpawnId(task.origin)?.task === own) return
  // Whoever lost the task hears of that first.
  if (await claims.isLost(db, task.id, actor.id)) return
  const line = await tasks.lineage(db, task.id)
  // To give up its own task, or to take it up again, is for whoever sent it.
  const below = verb === 'cancel' || verb === 'reopen' ? line.slice(1) : line
  if (!below.some(({ id }) => id === own)) refuse('task.foreign', { id: task.id, actor: actor.id, own, verb })
}

/** What a task was handed out with is not for the one to change who has to meet it. */
export const keepContract = async (
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
