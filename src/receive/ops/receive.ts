import * as v from 'valibot'
import * as returns from '../../claims/sql/returns.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { inputLimits } from '../../kernel/input-limits.ts'
import { type Failure, fail, Refused } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { acceptCodes, acceptResult } from '../accept-result.ts'
import { breachOf, isBreach } from '../breach.ts'
import { readLine } from '../check-return.ts'
import { answerShape, drawReceive } from '../receive-answer.ts'

export const receive = operation({
  name: 'orchestrate.receive',
  kind: 'mutate',
  tier: 1,
  summary: 'Check what a subagent returned, then complete or block its task.',
  input: v.strictObject({
    id: describe(TaskId, 'task whose subagent returned'),
    message: describe(
      v.pipe(v.string(), maxBytes(inputLimits.message)),
      "the subagent's whole reply; `-` reads it from standard input",
    ),
    followUps: v.optional(
      describe(
        v.boolean(),
        'create a task for each follow-up; a follow-up that is a task id is linked instead',
      ),
      false,
    ),
  }),
  output: answerShape,
  errors: ['task.not_found', 'spawn.none', 'return.invalid', ...acceptCodes],
  cli: {
    command: 'receive',
    positional: ['id'],
    examples: [
      'cleo receive T012 --message "Research complete. See MANIFEST.jsonl for summary."',
      'cleo receive T012 --message - --follow-ups',
    ],
  },
  human: drawReceive,
  async run({ id, message, followUps }, context) {
    const task = await tasks.find(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const spawn = await spawns.latest(context.store, id)
    if (!spawn) return fail('spawn.none', { task: id })
    const line = readLine(message, task, spawn)
    if ('ok' in line) return refused(context, spawn, line)
    if ('need' in line) {
      const { acceptNeed } = await import('../accept-need.ts')
      return acceptNeed(context, task, spawn, line.need)
    }
    const accepted = await acceptResult(context, { task, spawn, said: line.said, followUps })
    return accepted.ok ? accepted : refused(context, spawn, accepted)
  },
})

/** Records the refusal for the next attempt. Changes nothing else: a superseded subagent may have sent the line. */
const refused = async <F extends Failure>(
  context: Context,
  { id, task }: spawns.SpawnRow,
  failure: F,
): Promise<F> => {
  if (!isBreach(failure.code)) return failure
  try {
    await context.write(async (tx) => {
      const receipt = { spawn: id, breach: breachOf(failure) }
      await returns.add(tx.db, receipt, { task, at: tx.now, actor: tx.actor.id })
      await tx.record({ task, after: receipt })
      return { ok: true, value: undefined }
    })
  } catch (error) {
    // Return the first refusal, which the caller needs, rather than the failure to record it.
    if (!(error instanceof Refused)) throw error
  }
  return failure
}
