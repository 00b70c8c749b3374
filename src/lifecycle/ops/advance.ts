import * as v from 'valibot'
import { numberedId } from '../../kernel/numbered-id.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as questions from '../../questions/sql.ts'
import { readEpic } from '../epic.ts'
import { maxLoops, stageOrder } from '../progress.ts'
import {
  type AdvanceInput,
  type AdvanceResult,
  advanceCodes,
  advancedShape,
  advance as advanceEpic,
} from '../stage-moves.ts'
import { stageWorkReader } from '../stage-tasks.ts'

export const advance = operation({
  name: 'lifecycle.advance',
  kind: 'mutate',
  tier: 1,
  summary: 'Move an epic to its next stage or, with a reason, to another stage.',
  input: v.strictObject({
    id: describe(TaskId, 'the epic'),
    to: v.optional(describe(v.picklist(stageOrder), 'stage to move to; default: the next one')),
    reason: v.optional(
      describe(Reason, 'why; needed to go back, to skip stages, or if no task of the current stage is done'),
    ),
  }),
  output: advancedShape,
  errors: advanceCodes,
  orchestratorOnly: true,
  cli: {
    command: 'lifecycle advance',
    positional: ['id'],
    examples: [
      'cleo lifecycle advance T001',
      'cleo lifecycle advance T001 --to implementation --reason "two tests fail on empty input"',
    ],
  },
  human: ({ id, stage, move, skipped, over, noChange, then }, style) => [
    noChange
      ? `${style.cyan(id)} ${over ? 'has passed its last stage' : `is at ${stage}`}`
      : `${style.cyan(id)} ${over ? 'has passed its last stage' : `${move === 'back' ? 'back ' : ''}at ${style.bold(stage)}`}`,
    ...(skipped ? [`  skipped: ${skipped.join(', ')}`] : []),
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run(input, context) {
    const readStageWork = await stageWorkReader(context)
    const result = await context.write((tx) => advanceEpic(tx, context, readStageWork, input))
    return !result.ok && result.code === 'stage.loops' ? askPerson(context, input, result) : result
  },
})

/** Uses a separate transaction, because the refused move was rolled back. */
const askPerson = async (
  { write, dryRun, config }: Context,
  { id, to, reason }: AdvanceInput,
  refused: Failure<(typeof advanceCodes)[number]>,
): Promise<AdvanceResult> => {
  if (dryRun) return refused
  const asked = await write(async (tx) => {
    const epic = await readEpic(tx.db, config, id)
    const times = epic.ok ? epic.progress.loops : maxLoops
    const { seq, isNew } = await questions.ask(tx.db, {
      kind: 'stage',
      matter: `lifecycle.advance ${id}`,
      task: id,
      question: `${id} went back from testing ${times} times. Back to ${to} once more? ${reason}`,
      asked: JSON.stringify({ operation: 'lifecycle.advance', input: { id, to, reason } }),
      actor: tx.actor.id,
      at: tx.now,
    })
    const question = numberedId('Q', seq)
    if (isNew) await tx.record({ task: id, after: { question } })
    return ok({ times, question })
  })
  return asked.ok ? fail('stage.loops', { epic: id, ...asked.value }) : refused
}
