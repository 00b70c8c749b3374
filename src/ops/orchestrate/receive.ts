import * as v from 'valibot'
import { isBreach } from '../../contract/breach.ts'
import { type Failure, fail, Refused } from '../../model/result.ts'
import { TaskId } from '../../model/task-id.ts'
import { describe } from '../../model/text.ts'
import * as spawns from '../../store/spawns.ts'
import * as tasks from '../../store/tasks.ts'
import type { Context } from '../context.ts'
import { operation } from '../operation.ts'
import { answerShape, drawAnswer } from '../receive/answer.ts'
import { readLine } from '../receive/judge.ts'
import { takeCodes, takeResult } from '../receive/take.ts'

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
      const { takeNeed } = await import('../receive/need.ts')
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
      await tx.record({ task, after: { spawn: id, breach: failure.code } })
      return { ok: true, value: undefined }
    })
  } catch (error) {
    // What could not be kept is not what the caller has to hear of.
    if (!(error instanceof Refused)) throw error
  }
  return failure
}
