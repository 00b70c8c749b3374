import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { isSpawnOf, moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { forEachTask } from '../../operation/several.ts'
import { refuseForeignTask } from '../own-work.ts'
import * as tasks from '../sql/tasks.ts'
import { claimedByOther, transition } from '../transition.ts'

export const block = operation({
  name: 'tasks.block',
  kind: 'mutate',
  tier: 1,
  summary: 'Mark a task blocked and say why.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    more: moreTasks(),
    reason: describe(Reason, 'what blocks the task'),
  }),
  output: () => v.object({ id: v.string(), status: v.literal('blocked'), reason: v.string() }),
  errors: ['task.not_found', 'task.status', 'claim.held'],
  several: true,
  cli: {
    command: 'block',
    suggestedFor: ['hold', 'suspend'],
    positional: ['id', 'more'],
    examples: [
      'cleo block T012 --reason "waiting for access"',
      'cleo block T012 T013 -m "waiting for access"',
    ],
  },
  human: ({ id, reason }, style) => [`${style.red('■')} ${style.cyan(id)} blocked: ${reason}`],
  run: ({ id: first, more, reason }, { actor, write }) =>
    write((tx) =>
      forEachTask(first, more, async (id) => {
        const task = await tasks.find(tx.db, id)
        if (!task) return fail('task.not_found', { id })
        if (task.status !== 'pending' && task.status !== 'active') {
          return fail('task.status', { id, status: task.status, verb: 'block' })
        }
        const held = actor.agent ? await claimedByOther(tx, id, actor) : undefined
        if (held) return held
        await refuseForeignTask(tx, task, 'block')
        await transition(tx, task, { to: 'blocked', reason })
        // Only a spawn that blocks its own task counts as returned, because it has stopped working. If anyone else
        // blocks the task, its agent might still be working.
        if (isSpawnOf(actor.id, id)) await spawns.markAllReturned(tx.db, id, tx.now)
        return ok({ id, status: 'blocked' as const, reason })
      }),
    ),
})
