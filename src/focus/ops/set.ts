import * as v from 'valibot'
import { leaseMs } from '../../claims/lease.ts'
import * as claims from '../../claims/sql/claims.ts'
import * as focus from '../../claims/sql/focus.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../../kernel/result.ts'
import { isSpawnOf, parseSpawnId, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import type { Context, Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { TaskRow } from '../../store/rows.ts'
import { refuseForeignTask } from '../../tasks/own-work.ts'
import { shownClaim } from '../../tasks/read-task.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { claimShape, taskLine } from '../../tasks/task-shape.ts'
import { claimedByOther, heldBySpawn, transition } from '../../tasks/transition.ts'
import { integrationCodes } from '../../worktrees/codes.ts'

const errors = [
  'task.not_found',
  'task.status',
  'scope.outside',
  'dependency.open',
  'children.open',
  'claim.held',
  'claim.lost',
  'spawn.not_found',
  'worktree.invalid',
  ...integrationCodes,
] as const

const shape = () =>
  v.object({
    task: taskLine(),
    claim: claimShape(),
    /** The task that this agent worked on before, if this command released it. */
    released: v.optional(v.string()),
    noChange: v.optional(v.literal(true)),
    /** The time at which this agent claimed the task. Set only with `noChange`. */
    since: v.optional(v.string()),
    /** The output file of the spawn. It was made if it was missing. */
    output: v.optional(v.string()),
    /** The folder to work in, instead of the folder in the prompt. Set only with `--adopt`. */
    folder: v.optional(v.string()),
  })
type FocusSet = v.InferOutput<ReturnType<typeof shape>>

export const set = operation({
  name: 'focus.set',
  kind: 'mutate',
  tier: 0,
  summary: 'Claim a task and start on it.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    adopt: v.optional(
      describe(v.boolean(), 'work in the current git worktree, if your client made it'),
      false,
    ),
  }),
  output: shape,
  errors,
  tool: ['id'],
  cli: {
    command: 'focus set',
    suggestedFor: ['begin', 'claim', 'take', 'work', 'assign', 'pick', 'grab', 'do', 'checkout'],
    positional: ['id'],
    examples: ['cleo focus set T012 --as T012.1'],
  },
  human: ({ task, claim, released, since, output, folder }, style) => [
    `${style.yellow('◐')} ${style.cyan(task.id)} ${task.title}  ${style.dim(
      isSpawnOf(claim.owner, task.id)
        ? `${claim.owner}, until it is received`
        : `${claim.owner} until ${formatMinute(claim.expires)}`,
    )}`,
    ...(released ? [`  released ${released}`] : []),
    ...(since ? [`  already claimed by ${claim.owner} since ${formatMinute(since)}`] : []),
    ...(folder ? [`  work in: ${folder}, instead of the folder in your prompt`] : []),
    ...(output ? [`  output: ${output}`] : []),
  ],
  async run({ id, adopt }, context) {
    // Adopt before claiming: an agent whose folder cannot be adopted must not count as started.
    const adopted = adopt ? await (await import('../adopt-folder.ts')).adoptFolder(context, id) : undefined
    if (adopted && !adopted.ok) return adopted
    const set = await context.write<Result<FocusSet, (typeof errors)[number]>>(async (tx) => {
      const task = await tasks.find(tx.db, id)
      if (!task) return fail('task.not_found', { id })
      const refused = await notClaimable(tx, task, context)
      if (refused) return refused
      const claim = await claims.holder(tx.db, id)
      const own = claim?.owner === context.actor.id && task.status === 'active'
      const expires = tx.now + leaseMs(context.config)
      if (own) await claims.renew(tx.db, context.actor.id, expires)
      else if (
        !(await claims.take(tx.db, { task: id, owner: context.actor.id, seen: task.epoch, expires }))
      ) {
        return fail('claim.lost', { id, actor: context.actor.id })
      }
      const since = own ? await focus.since(tx.db, context.actor.id, id) : undefined
      if (isSpawnOf(context.actor.id, id))
        await spawns.start(tx.db, { id: context.actor.id, task, now: tx.now })
      const released = await releaseFormerTask(tx, id, context)
      const session = context.session?.id
      await focus.set(tx.db, { session, agent: context.actor.id, task: id, now: since ?? tx.now })
      if (!own) await transition(tx, task, { to: 'active' })
      return ok({
        task: tasks.toLine({ ...task, status: 'active' }),
        claim: shownClaim((await claims.holder(tx.db, id))!),
        ...(released && { released }),
        ...(own && { noChange: true as const, since: iso(since ?? tx.now) }),
      })
    })
    if (!set.ok || parseSpawnId(context.actor.id)?.task !== id) return set
    const { outputOfSpawn } = await import('../../output/create-output.ts')
    const { output, warnings } = await outputOfSpawn(context, id)
    return {
      ...set,
      value: { ...set.value, ...(adopted && { folder: adopted.value }), ...(output && { output }) },
      warnings: [...(set.warnings ?? []), ...warnings],
    }
  },
})

const notClaimable = async (
  write: Write,
  task: TaskRow,
  { actor, session }: Context,
): Promise<Failure<(typeof errors)[number]> | undefined> => {
  const { id, status } = task
  if (status !== 'pending' && status !== 'active')
    return fail('task.status', { id, status, verb: 'focus on' })
  if (session?.scope && task.root !== session.scope) {
    return fail('scope.outside', { id, session: session.id, epic: session.scope })
  }
  const waits = task.blockers > 0 ? await tasks.openNeeds(write.db, id) : []
  if (waits.length > 0) return fail('dependency.open', { id, on: waits })
  const open = task.children > 0 ? await tasks.openChildren(write.db, id) : []
  if (open.length > 0) return fail('children.open', { id, open, hint: 'Focus on one of them.' })
  const out = `${id}.${task.attempt_out}`
  // A spawned task has no claim until its agent starts. If another actor could claim the task now, the spawned agent
  // would be locked out.
  if (task.attempt_out > 0 && out !== actor.id) return heldBySpawn(write.db, out, actor)
  const held = await claimedByOther(write, id, actor)
  if (!held) await refuseForeignTask(write, task, 'focus on')
  return held
}

/**
 * Releases the task that the agent worked on before, because an agent works on one task at a time. Does nothing if the
 * agent no longer has the claim on that task. A spawn that sets focus on a subtask keeps the task for which it was
 * spawned.
 */
const releaseFormerTask = async (
  write: Write,
  next: string,
  { actor, session }: Context,
): Promise<string | undefined> => {
  const former = await focus.current(write.db, session?.id, actor.id)
  if (!former || former.task === next || isSpawnOf(actor.id, former.task)) return undefined
  const claim = await claims.holder(write.db, former.task)
  if (claim?.owner !== actor.id) return undefined
  const task = await tasks.find(write.db, former.task)
  if (task?.status === 'active') await transition(write, task, { to: 'pending' })
  return former.task
}
