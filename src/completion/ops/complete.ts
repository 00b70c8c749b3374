import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { finishCodes, finishTask } from '../finish.ts'

export const complete = operation({
  name: 'tasks.complete',
  kind: 'mutate',
  tier: 0,
  summary: 'Mark a task done if its contract holds, and list the tasks it unblocks.',
  input: v.strictObject({ id: describe(TaskId, 'the task') }),
  output: () =>
    v.object({
      id: v.string(),
      /** `pending` if the task was split: it will be done when its last child is. */
      status: v.picklist(['done', 'pending']),
      /** `partial` if the manifest entry of the task says that work is left. */
      outcome: v.optional(v.literal('partial')),
      unblocked: v.array(v.string()),
      /** Parents that were completed together with the task. */
      completed: v.optional(v.array(v.string())),
      noChange: v.optional(v.literal(true)),
    }),
  errors: finishCodes,
  tool: ['id'],
  cli: {
    command: 'complete',
    also: ['done'],
    suggestedFor: ['close', 'resolve', 'check'],
    positional: ['id'],
    examples: ['cleo complete T012', 'cleo complete T012 --as T012.1'],
  },
  human: ({ id, status, outcome, unblocked, completed, noChange }, style) => [
    status === 'pending'
      ? `${style.green('✓')} ${style.cyan(id)} ${noChange ? 'was already' : 'is'} split; it will be done when its last child is done`
      : noChange
        ? `${style.cyan(id)} was already done.`
        : `${style.green('✓')} ${style.cyan(id)} done${outcome ? ' (partial)' : ''}`,
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(unblocked.length > 0 ? [`  now ready: ${unblocked.join(', ')}`] : []),
  ],
  async run({ id }, context) {
    const finished = await finishTask(context, id)
    if (!finished.ok) return finished
    const { outcome, unblocked, completed, split, noChange } = finished.value
    return ok(
      {
        id,
        status: split ? ('pending' as const) : ('done' as const),
        ...(outcome === 'partial' && { outcome }),
        unblocked,
        ...(completed.length > 0 && { completed }),
        ...(noChange && { noChange }),
      },
      finished.warnings?.length ? { warnings: finished.warnings } : {},
    )
  },
})
