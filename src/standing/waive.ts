import * as v from 'valibot'
import * as spawns from '../claims/sql/spawns.ts'
import {
  CriterionNumber,
  openTask,
  recordEvidence,
  type Subject,
  subjectName,
} from '../evidence/record-evidence.ts'
import { nearest } from '../kernel/nearest.ts'
import { gates } from '../kernel/protocol.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import { Reason } from '../kernel/task-fields.ts'
import { TaskId } from '../kernel/task-id.ts'
import { describe, text } from '../kernel/text.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from '../tasks/sql/criteria.ts'

export const waiveCodes = [
  'task.not_found',
  'task.status',
  'criterion.not_found',
  'gate.unknown',
  'input.invalid',
] as const
type WaiveCode = (typeof waiveCodes)[number]

export const WaiverInput = v.strictObject({
  id: describe(TaskId, 'the task'),
  criterion: v.optional(describe(CriterionNumber, 'number of the criterion')),
  gate: v.optional(describe(text(100), `one of ${gates.join(', ')}`)),
  reason: describe(Reason, 'why no evidence is needed'),
})

export const waiveRequirement = async (
  context: Context,
  input: v.InferOutput<typeof WaiverInput>,
): Promise<Result<Waived, WaiveCode>> => {
  const task = await openTask(context, input.id)
  if (!task.ok) return task
  const subject = await subjectOf(context, task.value, input)
  if (!subject.ok) return subject
  const { id, reason } = input
  return context.write<Result<Waived, WaiveCode>>(async (tx) => {
    const spawn = await spawns.lastAttempt(tx.db, id)
    await recordEvidence(tx, subject.value, { spawn: spawn?.id ?? null, state: 'waived', atoms: [], reason })
    return ok({ id, what: subjectName(subject.value), state: 'waived' as const, reason })
  })
}

interface Waived {
  id: string
  what: string
  state: 'waived'
  reason: string
}

const subjectOf = async (
  { store }: Context,
  task: TaskRow,
  { criterion: n, gate: named }: { criterion?: number; gate?: string },
): Promise<Result<Subject, WaiveCode>> => {
  const { id } = task
  if ((n === undefined) === (named === undefined))
    return fail('input.invalid', {
      problems: [{ path: 'criterion', message: 'name either a criterion or a gate' }],
    })
  if (n !== undefined) {
    const all = await criteria.read(store, id)
    const criterion = all.find((each) => each.n === n)
    return criterion ? ok({ task, criterion }) : fail('criterion.not_found', { id, n, count: all.length })
  }
  const gate = gates.find((each) => each.toLowerCase() === named!.toLowerCase())
  if (!gate) return fail('gate.unknown', { gate: named!, near: nearest(named!, gates), id, known: gates })
  return ok({ task, gate })
}
