import * as v from 'valibot'
import type { Config } from '../../kernel/config.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { epicRoot, hinderedBy, type ReadyTask, readySet } from '../../tasks/ready-set.ts'
import { taskLine } from '../../tasks/shape.ts'
import * as search from '../../tasks/sql/search.ts'
import { toLine } from '../../tasks/sql/tasks.ts'
import { whyNothing } from '../overview.ts'

export const next = operation({
  name: 'orchestrate.next',
  kind: 'query',
  tier: 1,
  summary: 'Name the one task to start next, and why.',
  input: v.strictObject({ epic: v.optional(describe(TaskId, 'only below this epic')) }),
  output: () => v.object({ task: v.nullable(taskLine()), why: v.string(), then: v.optional(v.string()) }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'orchestrate next', examples: ['cleo orchestrate next --epic T001'] },
  human: ({ task, why, then }, style) => [
    task ? `${style.cyan(task.id)} ${style.bold(task.title)}  ${style.dim(why)}` : style.dim(why),
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run({ epic }, { store, session, config }) {
    const root = epic ?? session?.scope ?? undefined
    const unfit = await epicRoot(store, root)
    if (unfit) return unfit
    const { chosen, out, waiting } = await readySet(store, { root, limit: 1, shared: false, skip: 0 })
    const task = chosen[0]
    if (task) return ok({ task: toLine(task), ...step(task, config) })
    const sent = out[0]
    if (sent)
      return ok({
        task: toLine(sent),
        why: sent.out!,
        then: `cleo orchestrate spawn show ${sent.unstarted}`,
      })
    if (waiting[0]) return ok({ task: null, why: `${waiting[0].id} is ready but ${waiting[0].why}` })
    const over = await search.finishedParent(store, root)
    if (over)
      return ok({
        task: null,
        why: `${over} has nothing open below it any more`,
        then: `cleo complete ${over}`,
      })
    return ok({ task: null, why: await whyNothing(store, root) })
  },
})

const step = (task: ReadyTask, config: Config): { why: string; then: string } => {
  const { id, status, unblocks, undescribed } = task
  const hindered = hinderedBy(task, config)
  const why = [
    status === 'active' ? 'its owner is gone' : 'ready',
    ...(unblocks > 0 ? [`unblocks ${unblocks}`] : []),
    ...(hindered ? [hindered] : []),
  ]
  const then = !hindered
    ? `cleo orchestrate spawn ${id} --ref`
    : undescribed
      ? `cleo update ${id} --description "…"`
      : `cleo add "…" --parent ${id} --files "…"`
  return { why: why.join('; '), then }
}
