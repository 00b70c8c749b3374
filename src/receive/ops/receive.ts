import * as v from 'valibot'
import * as returns from '../../claims/sql/returns.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { type Failure, fail, Refused } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { answerShape, drawAnswer } from '../answer.ts'
import { isBreach } from '../breach.ts'
import { readLine } from '../judge.ts'
import { takeCodes, takeResult } from '../take.ts'

export const receive = operation({
  name: 'orchestrate.receive',
  kind: 'mutate',
  tier: 1,
  summary:
    'Take what a subagent returned: check line, entry, file and gates, then complete or block the task.',
  input: v.strictObject({
    id: describe(TaskId, 'the task that was handed out'),
    message: describe(v.string(), 'what came back, all of it; - reads standard input'),
    followUps: v.optional(
      describe(v.boolean(), 'make tasks of what the entry leaves open, and link those it names'),
      false,
    ),
  }),
  output: answerShape,
  errors: ['task.not_found', 'spawn.none', 'return.invalid', ...takeCodes],
  cli: {
    command: 'orchestrate receive',
    positional: ['id'],
    examples: [
      'cleo orchestrate receive T012 --message "Research complete. See MANIFEST.jsonl for summary."',
      'cleo orchestrate receive T012 --message - --follow-ups',
    ],
  },
  human: drawAnswer,
  async run({ id, message, followUps }, context) {
    const task = await tasks.find(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const spawn = await spawns.latest(context.store, id)
    if (!spawn) return fail('spawn.none', { task: id })
    const line = readLine(message, task, spawn)
    if ('ok' in line) return refused(context, spawn, line)
    if ('need' in line) {
      const { takeNeed } = await import('../need.ts')
      return takeNeed(context, task, spawn, line.need)
    }
    const taken = await takeResult(context, { task, spawn, said: line.said, followUps })
    return taken.ok ? taken : refused(context, spawn, taken)
  },
})

/** Why is kept for the next attempt. Nothing else changes: the line may be a late one, of a subagent replaced long ago. */
const refused = async <F extends Failure>(
  context: Context,
  { id, task }: spawns.SpawnRow,
  failure: F,
): Promise<F> => {
  if (!isBreach(failure.code)) return failure
  try {
    await context.write(async (tx) => {
      const receipt = { spawn: id, breach: failure.code }
      await returns.add(tx.db, receipt, { task, at: tx.now, actor: tx.actor.id })
      await tx.record({ task, after: receipt })
      return { ok: true, value: undefined }
    })
  } catch (error) {
    // What could not be kept is not what the caller has to hear of.
    if (!(error instanceof Refused)) throw error
  }
  return failure
}
