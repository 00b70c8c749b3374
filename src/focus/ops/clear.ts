import * as v from 'valibot'
import * as claims from '../../claims/sql/claims.ts'
import * as focus from '../../claims/sql/focus.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { heldBySpawn, transition } from '../../tasks/transition.ts'

export const clear = operation({
  name: 'focus.clear',
  kind: 'mutate',
  tier: 0,
  summary: 'Release the task in focus; it becomes pending again.',
  input: v.strictObject({ id: v.optional(describe(TaskId, 'the task; default: the task in focus')) }),
  output: () => v.object({ id: v.string(), status: v.string() }),
  errors: ['focus.missing', 'task.not_found', 'claim.held'],
  cli: {
    command: 'focus clear',
    positional: ['id'],
    examples: ['cleo focus clear --as T012.1'],
  },
  human: ({ id, status }, style) => [`${style.cyan(id)} ${status}`],
  run: ({ id }, { actor, session, write }) =>
    write(async (tx) => {
      const target = id ?? (await focus.current(tx.db, session?.id, actor.id))?.task
      if (target === undefined) return fail('focus.missing', { actor: actor.id })
      const task = await tasks.find(tx.db, target)
      if (!task) return fail('task.not_found', { id: target })
      const out = task.attempt_out > 0 ? `${target}.${task.attempt_out}` : undefined
      if (out !== undefined && out !== actor.id) return heldBySpawn(tx.db, out, actor)
      const claim = await claims.holder(tx.db, target)
      if (claim && claim.owner !== actor.id) {
        return fail('claim.held', { id: target, owner: claim.owner, expires: iso(claim.expires_at) })
      }
      if (!claim && !out) return fail('focus.missing', { actor: actor.id })
      if (task.status === 'active') await transition(tx, task, { to: 'pending' })
      if (out) {
        await spawns.markAllReturned(tx.db, target, tx.now)
        await tx.record({ task: target, after: { released: out } })
      }
      return ok({ id: target, status: task.status === 'active' ? 'pending' : task.status })
    }),
})
