import * as v from 'valibot'
import * as claims from '../../claims/sql/claims.ts'
import * as focus from '../../claims/sql/focus.ts'
import { ok } from '../../kernel/result.ts'
import { isSpawnOf } from '../../kernel/task-id.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { shownClaim } from '../../tasks/read-task.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { claimShape, taskLine } from '../../tasks/task-shape.ts'

export const show = operation({
  name: 'focus.show',
  kind: 'query',
  tier: 0,
  summary: 'Show the task this agent works on in this session.',
  get input() {
    return v.strictObject({})
  },
  output: () =>
    v.object({
      agent: v.string(),
      task: v.nullable(taskLine()),
      /** When this agent set focus on the task. */
      since: v.optional(v.string()),
      /** Missing if another agent has claimed the task. */
      claim: v.optional(claimShape()),
    }),
  errors: [],
  cli: {
    command: 'focus show',
    suggestedFor: ['whoami', 'current'],
    examples: ['cleo focus show --as T012.1'],
  },
  human: ({ agent, task, since, claim }, style) => {
    if (!task) return [style.dim(`${agent} has no task in focus.`)]
    const claimed = claim ? `, claimed until ${formatMinute(claim.expires)}` : ', claim lost'
    const until = claim && isSpawnOf(agent, task.id) ? '' : claimed
    return [
      `${style.yellow('◐')} ${style.cyan(task.id)} ${task.title}  ${style.dim(`${agent} since ${formatMinute(since ?? '')}${until}`)}`,
    ]
  },
  async run(_, { actor, session, store }) {
    const current = await focus.current(store, session?.id, actor.id)
    const row = current && (await tasks.find(store, current.task))
    if (!row) return ok({ agent: actor.id, task: null })
    const claim = await claims.holder(store, row.id)
    return ok({
      agent: actor.id,
      task: tasks.toLine(row),
      since: iso(current.since),
      ...(claim?.owner === actor.id && { claim: shownClaim(claim) }),
    })
  },
})
