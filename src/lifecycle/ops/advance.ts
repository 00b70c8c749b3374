import * as v from 'valibot'
import { numberedId } from '../../kernel/numbered-id.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as questions from '../../questions/sql.ts'
import { mostLoops, order } from '../course.ts'
import { readEpic } from '../epic.ts'
import { type Asked, go, type Moved, moveCodes, moved } from '../go.ts'
import { stageReader } from '../stage-tasks.ts'

export const advance = operation({
  name: 'lifecycle.advance',
  kind: 'mutate',
  tier: 1,
  summary: 'Take an epic to its next stage, or with a reason to another one.',
  input: v.strictObject({
    id: describe(TaskId, 'the epic'),
    to: v.optional(describe(v.picklist(order), 'this stage: back, or past stages that may be skipped')),
    reason: v.optional(describe(Reason, 'why it goes back, or leaves out what would be due')),
  }),
  output: moved,
  errors: moveCodes,
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
      ? `${style.cyan(id)} ${over ? 'has its stages behind it' : `is at ${stage}`}`
      : `${style.cyan(id)} ${over ? 'has its last stage behind it' : `${move === 'back' ? 'back ' : ''}at ${style.bold(stage)}`}`,
    ...(skipped ? [`  skipped: ${skipped.join(', ')}`] : []),
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run(input, context) {
    const workAt = await stageReader(context)
    const result = await context.write((tx) => go(tx, context, workAt, input))
    return !result.ok && result.code === 'stage.loops' ? askOnce(context, input, result) : result
  },
})

/** The refusal has undone its own transaction: the question goes into one that stays. */
const askOnce = async (
  { write, dryRun, config }: Context,
  { id, to, reason }: Asked,
  refused: Failure<(typeof moveCodes)[number]>,
): Promise<Moved> => {
  if (dryRun) return refused
  const asked = await write(async (tx) => {
    const epic = await readEpic(tx.db, config, id)
    const times = epic.ok ? epic.course.loops : mostLoops
    const { seq, isNew } = await questions.ask(tx.db, {
      kind: 'stage',
      matter: `lifecycle.advance ${id}`,
      task: id,
      question: `${id} went back from testing ${times} times. Once more, to ${to}? ${reason}`,
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
