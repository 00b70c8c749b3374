import * as v from 'valibot'
import { ok, type Result } from '../../kernel/result.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { type FinishCode, type FinishedTask, finishCodes, finishTask } from '../finish.ts'

const shape = () =>
  v.object({
    id: v.string(),
    /** `pending` if the task was split; it is done when its last child is done. */
    status: v.picklist(['done', 'pending']),
    /** `partial` if the manifest entry of the task says that work is left. */
    outcome: v.optional(v.literal('partial')),
    /** Tasks that became ready. */
    unblocked: v.array(v.string()),
    /** Parents that became done together with the task. */
    completed: v.optional(v.array(v.string())),
    /** Set if the work is on its own branch and waits until the orchestrator receives it. */
    merge: v.optional(v.literal('pending')),
    noChange: v.optional(v.literal(true)),
  })
type Completed = v.InferOutput<ReturnType<typeof shape>>

export const complete = operation({
  name: 'tasks.complete',
  kind: 'mutate',
  tier: 0,
  summary: 'Mark a task done if its requirements are met, and list the tasks it unblocks.',
  input: v.strictObject({ id: describe(TaskId, 'the task'), more: moreTasks() }),
  output: shape,
  errors: finishCodes,
  several: true,
  tool: ['id'],
  cli: {
    command: 'complete',
    also: ['done'],
    suggestedFor: ['close', 'resolve', 'check', 'tick', 'fix', 'end'],
    positional: ['id', 'more'],
    examples: ['cleo complete T012', 'cleo complete T012 T013', 'cleo complete T012 --as T012.1'],
  },
  human: ({ id, status, outcome, unblocked, completed, merge, noChange }, style) => [
    status === 'pending'
      ? `${style.green('✓')} ${style.cyan(id)} ${noChange ? 'was already' : 'is'} split; it will be done when its last child is done`
      : noChange
        ? `${style.cyan(id)} was already ${merge ? 'submitted; it waits for receive' : 'done'}.`
        : `${style.green('✓')} ${style.cyan(id)} ${merge ? 'submitted; waits for receive' : 'done'}${outcome ? ' (partial)' : ''}`,
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(unblocked.length > 0 ? [`  now ready: ${unblocked.join(', ')}`] : []),
  ],
  async run({ id, more }, context) {
    if (!more || more.length === 0) return completed(id, await finishTask(context, id))
    // Load this module only for several tasks: agents usually complete one task at a time.
    const { finishTasks } = await import('../finish-several.ts')
    return finishTasks(context, id, more, completed)
  },
})

const completed = (id: string, finished: Result<FinishedTask, FinishCode>): Result<Completed, FinishCode> => {
  if (!finished.ok) return finished
  const { outcome, unblocked, completed, split, merge, noChange } = finished.value
  return ok(
    {
      id,
      status: split ? ('pending' as const) : ('done' as const),
      ...(outcome === 'partial' && { outcome }),
      unblocked,
      ...(completed.length > 0 && { completed }),
      ...(merge && { merge }),
      ...(noChange && { noChange }),
    },
    finished.warnings?.length ? { warnings: finished.warnings } : {},
  )
}
