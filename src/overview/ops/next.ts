import * as v from 'valibot'
import type { Config } from '../../kernel/config.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import { epicRoot, type ReadyTask, readySet } from '../../tasks/ready-set.ts'
import { spawnFailure, spawnProblems } from '../../tasks/spawn-problems.ts'
import * as search from '../../tasks/sql/search.ts'
import { toLine } from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'

export const next = operation({
  name: 'orchestrate.next',
  kind: 'query',
  tier: 1,
  summary: 'Show the task to start next, and why.',
  get input() {
    return v.strictObject({ epic: v.optional(describe(TaskId, 'only tasks of this epic')) })
  },
  output: () => v.object({ task: v.nullable(taskLine()), why: v.string(), then: v.optional(v.string()) }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'next', positional: ['epic'], examples: ['cleo next T001'] },
  human: ({ task, why, then }, style) => [
    task ? `${style.cyan(task.id)} ${style.bold(task.title)}  ${style.dim(why)}` : style.dim(why),
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run({ epic }, { store, session, config }) {
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const { chosen, out, waiting } = await readySet(store, { root, limit: 1, shared: false, skip: 0 })
    const task = chosen[0]
    if (task) return ok({ task: toLine(task), ...(await nextStep(store, task, config)) })
    const spawned = out[0]
    if (spawned)
      return ok({
        task: toLine(spawned),
        why: spawned.out!,
        then: `cleo spawn show ${spawned.unstarted}`,
      })
    if (waiting[0]) return ok({ task: null, why: `${waiting[0].id} is ready but ${waiting[0].why}` })
    const finished = await search.finishedParent(store, root)
    if (finished)
      return ok({
        task: null,
        why: `every subtask of ${finished} is closed`,
        then: `cleo complete ${finished}`,
      })
    const { whyNothingIsReady } = await import('../epic-state.ts')
    return ok({ task: null, why: await whyNothingIsReady(store, root) })
  },
})

const nextStep = async (
  db: Db,
  task: ReadyTask,
  config: Config,
): Promise<{ why: string; then: string | undefined }> => {
  const { id, status, unblocks } = task
  const problems = spawnProblems(task, config)
  const why = [
    status === 'active' ? 'its claim expired' : 'ready',
    ...(unblocks > 0 ? [`unblocks ${unblocks}`] : []),
    ...problems.map(({ lacks }) => lacks),
  ]
  const [first] = problems
  const then = first ? (await spawnFailure(db, task, first, config)).fix : `cleo spawn ${id} --ref`
  return { why: why.join('; '), then }
}
