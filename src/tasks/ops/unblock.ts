import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { forEachTask } from '../../operation/several.ts'
import { refuseForeignTask } from '../own-work.ts'
import * as tasks from '../sql/tasks.ts'
import { transition } from '../transition.ts'

export const unblock = operation({
  name: 'tasks.unblock',
  kind: 'mutate',
  tier: 1,
  summary: 'Unblock a task; it becomes pending again.',
  input: v.strictObject({ id: describe(TaskId, 'the task'), more: moreTasks() }),
  output: () => v.object({ id: v.string(), status: v.literal('pending') }),
  errors: ['task.not_found', 'task.status'],
  several: true,
  cli: {
    command: 'unblock',
    suggestedFor: ['unhold', 'continue'],
    positional: ['id', 'more'],
    examples: ['cleo unblock T012', 'cleo unblock T012 T013'],
  },
  human: ({ id }, style) => [`${style.cyan(id)} pending again`],
  run: ({ id: first, more }, { write }) =>
    write((tx) =>
      forEachTask(first, more, async (id) => {
        const task = await tasks.find(tx.db, id)
        if (!task) return fail('task.not_found', { id })
        if (task.status !== 'blocked')
          return fail('task.status', { id, status: task.status, verb: 'unblock' })
        await refuseForeignTask(tx, task, 'unblock')
        await transition(tx, task, { to: 'pending', event: 'task.unblocked' })
        return ok({ id, status: 'pending' as const })
      }),
    ),
})
