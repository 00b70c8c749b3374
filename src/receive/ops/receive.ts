import '../../host/file-system.ts'
import * as v from 'valibot'
import { receiptsOf } from '../../claims/sql/returns.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { inputLimits } from '../../kernel/input-limits.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { acceptCodes } from '../accept-result.ts'
import { answerShape, drawReceive } from '../receive-answer.ts'
import { receiveSpawn } from '../receive-spawn.ts'

const flag = (about: string) => v.optional(describe(v.boolean(), about), false)

export const receive = operation({
  name: 'orchestrate.receive',
  kind: 'mutate',
  tier: 1,
  summary: 'Check what a subagent submitted, then complete or block its task.',
  input: v.strictObject({
    id: v.optional(describe(TaskId, 'task whose subagent returned')),
    message: v.optional(
      describe(
        v.pipe(v.string(), maxBytes(inputLimits.message)),
        "the subagent's reply; `-` reads it from standard input",
      ),
    ),
    all: flag('receive every spawn that has submitted its work, dependencies first'),
    tasks: v.optional(
      describe(
        v.pipe(v.array(TaskId), v.minLength(1), v.maxLength(1000)),
        'receive these tasks and merge their work together; their subagents must have stopped',
      ),
    ),
    noMerge: flag('check the work and complete the task, but leave the merge to a later receive'),
    noFollowUps: flag('do not create tasks from the follow-ups in the manifest entry'),
    release: flag('if the task was done in part, let dependents start before its follow-up tasks are done'),
    attempt: v.optional(
      describe(
        v.pipe(v.number(), v.integer(), v.minValue(1)),
        'accept this attempt although a later one replaced it',
      ),
    ),
  }),
  output: answerShape,
  errors: [
    'input.invalid',
    'task.not_found',
    'spawn.none',
    'spawn.not_found',
    'spawn.received',
    'evidence.invalid',
    ...acceptCodes,
  ],
  personOnly: { when: ['attempt'] },
  orchestratorOnly: true,
  runsCommands: true,
  tool: ['id', 'message', 'all'],
  cli: {
    command: 'receive',
    suggestedFor: ['accept', 'approve', 'review'],
    positional: ['id'],
    examples: [
      'cleo receive T012 --message "Research complete. See MANIFEST.jsonl for summary."',
      'cleo receive T012',
      'cleo receive --all',
      'cleo receive --tasks T012,T013',
    ],
  },
  human: drawReceive,
  async run({ id, message, all, tasks: named, noMerge, noFollowUps, release, attempt }, context) {
    const options = { followUps: !noFollowUps, release }
    if (all || named) {
      const others = { id, message, attempt, noMerge: noMerge || undefined, tasks: all ? named : undefined }
      const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0]
      if (other) return invalid(other, `cannot be combined with ${all ? '--all' : '--tasks'}`)
      const { receiveAll, receiveNamed } = await import('../receive-all.ts')
      return named ? receiveNamed(context, named, options) : receiveAll(context, options)
    }
    if (id === undefined) return invalid('id', 'is missing: name a task, or use --all')
    const task = await tasks.find(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const latest = await spawns.latest(context.store, id)
    if (!latest) return fail('spawn.none', { task: id, closed: closed(task.status) })
    const replaced = attempt !== undefined && attempt !== latest.attempt
    const spawn = replaced ? await replacedSpawn(context, task, attempt) : latest
    if ('ok' in spawn) return spawn
    return receiveSpawn(context, { task, spawn, message, replaced, noMerge, ...options })
  },
})

const invalid = (path: string, message: string): Failure<'input.invalid'> =>
  fail('input.invalid', { problems: [{ path, message }] })

/**
 * Returns the replaced spawn whose work a person accepts. Refuses if the work of another attempt was already accepted.
 */
const replacedSpawn = async (
  { store }: Context,
  { id: task, status }: TaskRow,
  attempt: number,
): Promise<spawns.SpawnRow | Failure<'spawn.not_found' | 'spawn.received'>> => {
  const id = `${task}.${attempt}`
  const spawn = await spawns.find(store, id)
  if (!spawn) return fail('spawn.not_found', { id })
  const accepted = (await receiptsOf(store, task)).find(
    (receipt) => receipt.spawn !== id && receipt.entry !== undefined && receipt.returned !== undefined,
  )
  const by = accepted?.spawn ?? (status === 'done' ? (await spawns.lastAttempt(store, task))!.id : undefined)
  return by === undefined ? spawn : fail('spawn.received', { id, task, by })
}
