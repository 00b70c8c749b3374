import * as v from 'valibot'
import type { Actor } from '../../kernel/actor.ts'
import { fail, ok, type Result } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { forEachTask, type Several } from '../../operation/several.ts'
import type { Db } from '../../store/port.ts'
import { refuseForeignTask } from '../../tasks/own-work.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { claimedByOther, transition } from '../../tasks/transition.ts'
import * as worktrees from '../../worktrees/sql.ts'
import { type Permits, withContractCheck } from '../contract-check.ts'
import { completeParents } from '../finish.ts'

const shape = () =>
  v.object({
    id: v.string(),
    status: v.literal('cancelled'),
    unblocked: v.array(v.string()),
    cancelled: v.array(v.string()),
    /** Parents that were completed because the cancelled task was their last open child. */
    completed: v.optional(v.array(v.string())),
    /** The spawns that worked on the cancelled tasks, with the worktree and the branch that keep their work. */
    out: v.optional(
      v.array(
        v.object({ spawnId: v.string(), folder: v.optional(v.string()), branch: v.optional(v.string()) }),
      ),
    ),
    noChange: v.optional(v.literal(true)),
  })
type Cancelled = v.InferOutput<ReturnType<typeof shape>>

const errors = ['task.not_found', 'task.status', 'children.open', 'claim.held', 'task.changed'] as const
type CancelCode = (typeof errors)[number]

export const cancel = operation({
  name: 'tasks.cancel',
  kind: 'mutate',
  tier: 1,
  summary: 'Cancel a task and release its dependents.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    more: moreTasks(),
    reason: describe(Reason, 'why the task is cancelled'),
    withChildren: v.optional(describe(v.boolean(), 'also cancel the open tasks below this one')),
  }),
  output: shape,
  errors,
  several: true,
  cli: {
    command: 'cancel',
    also: ['rm'],
    suggestedFor: ['delete', 'del', 'remove', 'abandon', 'abort', 'discard', 'wontfix', 'archive'],
    positional: ['id', 'more'],
    examples: ['cleo cancel T012 --reason "covered by T009"', 'cleo rm T012 T013 -m "covered by T009"'],
  },
  human: ({ id, cancelled, completed, unblocked, out = [], noChange }, style) => [
    noChange
      ? `${style.cyan(id)} was already cancelled.`
      : `${style.dim('✗')} ${cancelled.join(', ')} cancelled`,
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(unblocked.length > 0 ? [`  now ready: ${unblocked.join(', ')}`] : []),
    ...out.flatMap(({ spawnId, folder, branch }) => [
      `  ${spawnId} no longer has its task; end its agent if it is still running`,
      ...(folder ? [`  its work stays in ${folder}${branch ? `, on the branch ${branch}` : ''}`] : []),
      ...(folder ? ['  cleo worktree prune removes that worktree later; its commits stay in git'] : []),
    ]),
  ],
  run: ({ id: first, more, ...options }, context) =>
    withContractCheck<Cancelled | Several<Cancelled>, CancelCode>(context, first, (tx, permits) =>
      forEachTask(first, more, async (id) => {
        const one = await cancelTask(tx, permits, context.actor, { id, ...options })
        if (!one.ok || !more) return one
        // Leave out tasks that the same command cancels: they are not ready.
        const unblocked = one.value.unblocked.filter((each) => each !== first && !more.includes(each))
        return { ...one, value: { ...one.value, unblocked } }
      }),
    ),
})

const workOf = async (db: Db, spawnId: string) => {
  const row = await worktrees.worktree(db, spawnId)
  if (!row || row.state === 'gone') return { spawnId }
  return { spawnId, folder: row.folder, ...(row.branch && { branch: row.branch }) }
}

const cancelTask = async (
  tx: Write,
  permits: Permits,
  actor: Actor,
  { id, reason, withChildren }: { id: string; reason: string; withChildren?: boolean },
): Promise<Result<Cancelled, CancelCode>> => {
  const task = await tasks.find(tx.db, id)
  if (!task) return fail('task.not_found', { id })
  if (task.status === 'done') return fail('task.status', { id, status: task.status, verb: 'cancel' })
  if (task.status === 'cancelled') {
    return ok({ id, status: 'cancelled' as const, unblocked: [], cancelled: [], noChange: true as const })
  }
  const open = await tasks.openChildren(tx.db, id)
  const hint = 'Cancel them first, or use --with-children.'
  if (open.length > 0 && !withChildren) return fail('children.open', { id, open, hint })
  const below = withChildren ? await tasks.descendants(tx.db, id) : []
  const cancelling = [...below.filter(({ status }) => !closed(status)).reverse(), task]
  const unblocked: string[] = []
  const out: NonNullable<Cancelled['out']> = []
  for (const each of cancelling) {
    if (each.attempt_out > 0) out.push(await workOf(tx.db, `${each.id}.${each.attempt_out}`))
    const held = actor.agent ? await claimedByOther(tx, each.id, actor) : undefined
    if (held) return held
    await refuseForeignTask(tx, each, 'cancel')
    unblocked.push(...(await transition(tx, each, { to: 'cancelled', reason })))
  }
  const settled = task.stage === 'consensus' ? await permits.votes().settleRound(tx, task) : []
  const cancelled = cancelling.map((each) => each.id)
  // If no child of the parent is done, the parent stays open: it can still need other work.
  const hasDoneSibling = task.parent !== null && (await tasks.hasDoneChild(tx.db, task.parent))
  const { completed, warnings } = hasDoneSibling
    ? await completeParents(tx, task, unblocked, permits)
    : { completed: [], warnings: [] }
  return ok(
    {
      id,
      status: 'cancelled' as const,
      unblocked: unblocked.filter((ready) => !cancelled.includes(ready)),
      cancelled: cancelled.reverse(),
      ...(completed.length > 0 && { completed }),
      ...(out.length > 0 && { out }),
    },
    settled.length + warnings.length > 0 ? { warnings: [...settled, ...warnings] } : {},
  )
}
