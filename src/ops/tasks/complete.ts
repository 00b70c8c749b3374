import * as v from 'valibot'
import { fail, ok } from '../../model/result.ts'
import { TaskId } from '../../model/task-id.ts'
import { describe } from '../../model/text.ts'
import * as tasks from '../../store/tasks.ts'
import { operation } from '../operation.ts'
import { completeParents, unfinished } from './parents.ts'
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
