import * as v from 'valibot'
import { fail, ok } from '../../model/result.ts'
import { TaskId } from '../../model/task-id.ts'
import { describe } from '../../model/text.ts'
import type { TaskRow } from '../../store/tasks.ts'
import * as tasks from '../../store/tasks.ts'
import type { Write } from '../context.ts'
import { operation } from '../operation.ts'
import { heldByOther, transition } from './transition.ts'

export const complete = operation({
  name: 'tasks.complete',
  kind: 'mutate',
  tier: 0,
  summary: 'Mark a task done, and say what that unblocked.',
  input: v.strictObject({ id: describe(TaskId, 'the task') }),
  output: () =>
    v.object({
      id: v.string(),
      status: v.literal('done'),
      unblocked: v.array(v.string()),
      /** Parents that were done with it. */
      completed: v.optional(v.array(v.string())),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['task.not_found', 'task.status', 'dependency.open', 'children.open', 'claim.held'],
  cli: {
    command: 'complete',
    positional: ['id'],
    examples: ['cleo complete T012', 'cleo complete T012 --as T012.1'],
  },
  human: ({ id, unblocked, completed, noChange }, ink) => [
    noChange ? `${ink.cyan(id)} was done already.` : `${ink.green('✓')} ${ink.cyan(id)} done`,
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(unblocked.length > 0 ? [`  now ready: ${unblocked.join(', ')}`] : []),
  ],
  run: ({ id }, { actor, write }) =>
    write(async (tx) => {
      const task = await tasks.find(tx.db, id)
      if (!task) return fail('task.not_found', { id })
      if (task.status === 'done')
        return ok({ id, status: 'done' as const, unblocked: [], noChange: true as const })
      const unmet = (await unfinished(tx, task)) ?? (await heldByOther(tx, id, actor))
      if (unmet) return unmet
      const unblocked = await transition(tx, task, { to: 'done', outcome: 'complete' })
      const completed = await completeParents(tx, task, unblocked)
      return ok({ id, status: 'done' as const, unblocked, ...(completed.length > 0 && { completed }) })
    }),
})

const unfinished = async ({ db }: Write, task: TaskRow) => {
  const { id, status } = task
  if (status === 'blocked' || status === 'cancelled')
    return fail('task.status', { id, status, verb: 'complete' })
  const waits = task.blockers > 0 ? await tasks.openNeeds(db, id) : []
  if (waits.length > 0) return fail('dependency.open', { id, on: waits })
  const open = task.children > 0 ? await tasks.openChildren(db, id) : []
  return open.length > 0 ? fail('children.open', { id, open }) : undefined
}

/** A parent is done with its last child, unless it says otherwise, waits itself, or is an epic short of its last stage. */
const completeParents = async (write: Write, task: TaskRow, unblocked: string[]): Promise<string[]> => {
  const completed: string[] = []
  for (let child = task; child.parent; ) {
    const parent = await tasks.find(write.db, child.parent)
    if (!parent || !closesItself(parent) || (await unfinished(write, parent))) break
    unblocked.push(...(await transition(write, parent, { to: 'done', outcome: 'complete' })))
    completed.push(parent.id)
    child = parent
  }
  return completed
}

const lastStages: (string | null)[] = [null, 'release', 'contribution']
const closesItself = ({ completes, type, stage }: TaskRow): boolean =>
  completes === 'auto' && (type !== 'epic' || lastStages.includes(stage))
