import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { stages, statuses } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { mark } from '../../tasks/draw.ts'
import { after, type Course, maySkip, mostLoops, stageStates } from '../course.ts'
import { ending, epicCodes, readEpic } from '../epic.ts'
import { type StageWork, stageReader } from '../stage-tasks.ts'

const shape = () =>
  v.object({
    id: v.string(),
    stage: v.picklist(stages),
    /** False until the epic was told a stage: it then ends with its last part, whatever the stage. */
    staged: v.boolean(),
    over: v.optional(v.literal(true)),
    stages: v.array(
      v.object({ stage: v.picklist(stages), state: v.picklist(stageStates), reason: v.optional(v.string()) }),
    ),
    /** Of the tasks of the stage it is at. */
    done: v.number(),
    open: v.array(v.object({ id: v.string(), title: v.string(), status: v.picklist(statuses) })),
    /** Open ones that are not listed. */
    more: v.optional(v.number()),
    /** How often testing sent the work back. */
    loops: v.optional(v.number()),
    /** What is missing to advance. */
    missing: v.array(v.string()),
    then: v.optional(v.string()),
  })
type Shown = v.InferOutput<ReturnType<typeof shape>>

const mostListed = 10

export const show = operation({
  name: 'lifecycle.show',
  kind: 'query',
  tier: 1,
  summary: 'Show the stages of an epic, where it is and what is missing to go on.',
  input: v.strictObject({ id: describe(TaskId, 'the epic') }),
  output: shape,
  errors: [...epicCodes],
  cli: { command: 'lifecycle show', positional: ['id'], examples: ['cleo lifecycle show T001'] },
  human: (data, style) => draw(data, style),
  async run({ id }, context) {
    const { store } = context
    const epic = await readEpic(store, context.config, id)
    if (!epic.ok) return epic
    const { row, course } = epic
    const work = await (await stageReader(context))(store, id, course.current)
    const then = course.over ? await ending(store, id) : nextStep(id, course, work)
    return ok({
      id,
      stage: course.current,
      staged: row.stage !== null,
      ...(course.over && { over: true as const }),
      stages: course.stages,
      done: work.done,
      open: work.open.slice(0, mostListed).map(({ id, title, status }) => ({ id, title, status })),
      ...(work.open.length > mostListed && { more: work.open.length - mostListed }),
      ...(course.loops > 0 && { loops: course.loops }),
      missing: course.over ? [] : missingOf(course, work),
      ...(then && { then }),
    })
  },
})

const missingOf = ({ current }: Course, { done, open }: StageWork): string[] => {
  if (open.length > 0) return [`${open.length} open at ${current}`]
  return done === 0 ? [`nothing was done at ${current}: a task, or a reason`] : []
}

const nextStep = (id: string, { current }: Course, { done, open }: StageWork): string => {
  if (open.length > 0) return `cleo orchestrate next --epic ${id}`
  if (done > 0) return `cleo lifecycle advance ${id}`
  return maySkip(current)
    ? `cleo lifecycle skip ${id} --reason "…"`
    : `cleo add "…" --parent ${id} --stage ${current}`
}

const signs = { done: '✓', skipped: '–', current: '◐', ahead: '○' } as const

const draw = (data: Shown, style: Style): string[] => {
  const { id, stage, over, staged, done, open, more, loops, missing, then } = data
  const next = after(stage)
  return [
    `${style.cyan(id)} ${over ? 'has its stages behind it' : `at ${style.bold(stage)}`}${
      staged ? '' : style.dim('  not told a stage yet: it ends with its last part')
    }`,
    ...data.stages.map(({ stage, state, reason }) => {
      const line = `  ${signs[state]} ${stage}`
      if (state === 'current')
        return `${style.yellow(line)}  ${style.dim(`${done} done, ${open.length + (more ?? 0)} open`)}`
      return state === 'ahead' ? style.dim(line) : `${line}${reason ? style.dim(`  ${reason}`) : ''}`
    }),
    ...open.map((task) => `    ${mark(task.status, style)} ${style.cyan(task.id)} ${task.title}`),
    ...(more ? [style.dim(`    and ${more} more`)] : []),
    ...(loops
      ? [
          `  went back from testing ${loops} ${loops === 1 ? 'time' : 'times'}; after ${mostLoops} a person decides`,
        ]
      : []),
    ...missing.map((each) => `  missing${next ? ` for ${next}` : ''}: ${each}`),
    ...(then ? [`  then: ${then}`] : []),
  ]
}
