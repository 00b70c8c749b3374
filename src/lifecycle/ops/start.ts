import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { epicCodes, readEpic, refuseClosed } from '../epic.ts'
import { stageOrder } from '../progress.ts'

export const start = operation({
  name: 'lifecycle.start',
  kind: 'mutate',
  tier: 1,
  summary: "Start an epic's lifecycle: the epic then moves from stage to stage.",
  input: v.strictObject({
    id: describe(TaskId, 'the epic'),
    at: v.optional(describe(v.picklist(stageOrder), 'the stage to begin at; default research')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      stage: v.picklist(stages()),
      noChange: v.optional(v.literal(true)),
      then: v.string(),
    }),
  errors: [...epicCodes, 'task.status', 'lifecycle.started'],
  orchestratorOnly: true,
  cli: {
    command: 'lifecycle start',
    positional: ['id'],
    examples: ['cleo lifecycle start T001', 'cleo lifecycle start T001 --at implementation'],
  },
  human: ({ id, stage, noChange, then }, style) => [
    `${style.cyan(id)} ${noChange ? 'is already' : 'starts'} at ${style.bold(stage)}`,
    `  then: ${then}`,
  ],
  run: ({ id, at }, context) =>
    context.write(async (tx) => {
      const epic = await readEpic(tx.db, context.config, id)
      if (!epic.ok) return epic
      const { row, progress } = epic
      const closed = refuseClosed(row, 'start a lifecycle of')
      if (closed) return closed
      const then = `cleo lifecycle show ${id}`
      if (row.stage !== null) {
        const stage = progress.current
        if (at !== undefined && at !== stage) return fail('lifecycle.started', { epic: id, stage, to: at })
        return ok({ id, stage, noChange: true as const, then })
      }
      const stage = at ?? stageOrder[0]!
      await tasks.patchFields(tx.db, id, { stage })
      await tasks.touch(tx.db, id, tx.now)
      await tx.record({ task: id, before: { stage: null }, after: { stage } })
      return ok({ id, stage, then })
    }),
})
