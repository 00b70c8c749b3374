import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { stages } from '../../kernel/task.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { listIds } from '../../print/id-list.ts'
import { completeCommand, lifecycleCodes, readLifecycle, refuseClosed } from '../epic.ts'
import { maySkip, stageAfter } from '../progress.ts'
import { recordMoves } from '../stage-moves.ts'
import { stageWorkReader } from '../stage-tasks.ts'

export const skip = operation({
  name: 'lifecycle.skip',
  kind: 'mutate',
  tier: 1,
  summary: "Skip an epic's current stage and say why.",
  input: v.strictObject({
    id: describe(TaskId, 'the epic; it must be at consensus, architecture-decision or release'),
    reason: describe(Reason, 'why the stage is not needed'),
  }),
  output: () =>
    v.object({
      id: v.string(),
      skipped: v.picklist(stages()),
      stage: v.picklist(stages()),
      /** Set if the epic has passed its last stage. */
      over: v.optional(v.literal(true)),
      then: v.optional(v.string()),
    }),
  errors: [...lifecycleCodes, 'task.status', 'stage.unskippable'],
  orchestratorOnly: true,
  cli: {
    command: 'lifecycle skip',
    positional: ['id'],
    examples: ['cleo lifecycle skip T001 --reason "there is only one way to do it"'],
  },
  human: ({ id, skipped, stage, over, then }, style) => [
    `${style.cyan(id)} skipped ${skipped}${over ? ', its last stage' : `, at ${style.bold(stage)}`}`,
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run({ id, reason }, context) {
    const readStageWork = await stageWorkReader(context)
    return context.write(async (tx) => {
      const epic = await readLifecycle(tx.db, context.config, id)
      if (!epic.ok) return epic
      const { row, progress } = epic
      const { current, over } = progress
      const closed = refuseClosed(row, 'skip a stage of')
      if (closed) return closed
      if (over || !maySkip(current)) return fail('stage.unskippable', { epic: id, stage: current })
      const { open } = await readStageWork(tx.db, id, current)
      const to = stageAfter(current)
      await recordMoves(tx, row, [{ move: 'skip', from_stage: current, to_stage: to ?? null, reason }])
      const then = to ? undefined : await completeCommand(tx.db, id)
      const answer = {
        ...{ id, skipped: current, stage: to ?? current },
        ...(!to && { over: true as const }),
        ...(then && { then }),
      }
      const left = open.map((task) => task.id)
      return ok(answer, left.length > 0 ? { warnings: [`still open at ${current}: ${listIds(left)}`] } : {})
    })
  },
})
