import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { stages, statuses } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { statusMark } from '../../task-lists/draw-tasks.ts'
import { completeCommand, epicCodes, readEpic } from '../epic.ts'
import { maxLoops, maySkip, type Progress, stageAfter, stageStates } from '../progress.ts'
import { type StageWork, stageWorkReader } from '../stage-tasks.ts'

const shape = () =>
  v.object({
    id: v.string(),
    /** False if the epic has no lifecycle. Such an epic is completed together with its last task. */
    started: v.boolean(),
    stage: v.optional(v.picklist(stages())),
    /** Set if the epic has passed its last stage. */
    over: v.optional(v.literal(true)),
    stages: v.array(
      v.object({
        stage: v.picklist(stages()),
        state: v.picklist(stageStates),
        reason: v.optional(v.string()),
      }),
    ),
    /** How many tasks of the epic's current stage are done. */
    done: v.number(),
    open: v.array(v.object({ id: v.string(), title: v.string(), status: v.picklist(statuses) })),
    /** The number of open tasks that are not in `open`. */
    more: v.optional(v.number()),
    /** How often testing sent the work back. */
    loops: v.optional(v.number()),
    /** What is missing before the epic can advance. */
    missing: v.array(v.string()),
    then: v.optional(v.string()),
  })
type ShownEpic = v.InferOutput<ReturnType<typeof shape>>

const maxListed = 10

export const show = operation({
  name: 'lifecycle.show',
  kind: 'query',
  tier: 1,
  summary: 'Show the stages of an epic and what it needs to advance.',
  input: v.strictObject({ id: describe(TaskId, 'the epic') }),
  output: shape,
  errors: [...epicCodes],
  cli: { command: 'lifecycle show', positional: ['id'], examples: ['cleo lifecycle show T001'] },
  human: (data, style) => draw(data, style),
  async run({ id }, context) {
    const { store } = context
    const epic = await readEpic(store, context.config, id)
    if (!epic.ok) return epic
    const { row, progress } = epic
    if (row.stage === null) return ok({ id, ...notStarted, then: `cleo lifecycle start ${id}` })
    const work = await (await stageWorkReader(context))(store, id, progress.current)
    const then = progress.over ? await completeCommand(store, id) : nextStep(id, progress, work)
    return ok({
      id,
      started: true,
      stage: progress.current,
      ...(progress.over && { over: true as const }),
      stages: progress.stages,
      done: work.done,
      open: work.open.slice(0, maxListed).map(({ id, title, status }) => ({ id, title, status })),
      ...(work.open.length > maxListed && { more: work.open.length - maxListed }),
      ...(progress.loops > 0 && { loops: progress.loops }),
      missing: progress.over ? [] : missingOf(progress, work),
      ...(then && { then }),
    })
  },
})

const notStarted = { started: false, stages: [], done: 0, open: [], missing: [] }

const missingOf = ({ current }: Progress, { done, open }: StageWork): string[] => {
  if (open.length > 0) return [`${open.length} open ${open.length === 1 ? 'task' : 'tasks'} at ${current}`]
  return done === 0 ? [`no task was done at ${current}; do one, or give a reason`] : []
}

const nextStep = (id: string, { current }: Progress, { done, open }: StageWork): string => {
  if (open.length > 0) return `cleo next ${id}`
  if (done > 0) return `cleo lifecycle advance ${id}`
  return maySkip(current)
    ? `cleo lifecycle skip ${id} --reason "…"`
    : `cleo add "…" --parent ${id} --stage ${current}`
}

const stateMarks = { done: '✓', skipped: '–', current: '◐', ahead: '○' } as const

const draw = (data: ShownEpic, style: Style): string[] => {
  const { id, stage, over, done, open, more, loops, missing, then } = data
  if (stage === undefined)
    return [
      `${style.cyan(id)} has no lifecycle: it closes with its last task.`,
      `  to start one: ${then} [--at implementation]`,
    ]
  const next = stageAfter(stage)
  return [
    `${style.cyan(id)} ${over ? 'has passed its last stage' : `at ${style.bold(stage)}`}`,
    ...data.stages.map(({ stage, state, reason }) => {
      const line = `  ${stateMarks[state]} ${stage}`
      if (state === 'current')
        return `${style.yellow(line)}  ${style.dim(`${done} done, ${open.length + (more ?? 0)} open`)}`
      return state === 'ahead' ? style.dim(line) : `${line}${reason ? style.dim(`  ${reason}`) : ''}`
    }),
    ...open.map((task) => `    ${statusMark(task.status, style)} ${style.cyan(task.id)} ${task.title}`),
    ...(more ? [style.dim(`    and ${more} more`)] : []),
    ...(loops
      ? [
          `  went back from testing ${loops} ${loops === 1 ? 'time' : 'times'}; after ${maxLoops} a person decides`,
        ]
      : []),
    ...missing.map((each) => `  missing${next ? ` for ${next}` : ''}: ${each}`),
    ...(then ? [`  then: ${then}`] : []),
  ]
}
