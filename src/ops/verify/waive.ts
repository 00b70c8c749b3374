import * as v from 'valibot'
import { hardGates } from '../../contract/evidence/proofs.ts'
import { nearest } from '../../model/nearest.ts'
import { gates } from '../../model/protocol.ts'
import { fail, ok, type Result } from '../../model/result.ts'
import { Reason } from '../../model/task-fields.ts'
import { TaskId } from '../../model/task-id.ts'
import { describe, text } from '../../model/text.ts'
import * as criteria from '../../store/criteria.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as spawns from '../../store/spawns.ts'
import type { Context } from '../context.ts'
import { operation } from '../operation.ts'
import { CriterionNumber } from './criterion.ts'
import { keepRow, nameOf, openTask, type Subject } from './take.ts'

const errors = [
  'task.not_found',
  'task.status',
  'criterion.not_found',
  'gate.unknown',
  'gate.hard',
  'input.invalid',
] as const
type WaiveCode = (typeof errors)[number]

export const waive = operation({
  name: 'verify.waive',
  kind: 'mutate',
  tier: 0,
  summary: 'Let a criterion or a gate go unproved, with the reason; for people only.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    criterion: v.optional(describe(CriterionNumber, 'the number of the criterion')),
    gate: v.optional(describe(text(100), `a gate, but not ${hardGates.join(' or ')}`)),
    reason: describe(Reason, 'why it need not be shown'),
  }),
  output: () =>
    v.object({ id: v.string(), what: v.string(), state: v.literal('waived'), reason: v.string() }),
  errors,
  personOnly: true,
  cli: {
    command: 'verify --waive',
    positional: ['id'],
    examples: ['cleo verify T012 --waive --criterion 2 --reason "the old browser is no longer supported"'],
  },
  human: ({ id, what, reason }, ink) => [`${ink.cyan(id)} ${what} waived: ${reason}`],
  async run(input, context) {
    const task = await openTask(context, input.id)
    if (!task.ok) return task
    const subject = await subjectOf(context, task.value, input)
    if (!subject.ok) return subject
    const { id, reason } = input
    return context.write<Result<Waived, WaiveCode>>(async (tx) => {
      const spawn = await spawns.lastAttempt(tx.db, id)
      const nowhere = { worktree: null, head: null, tree: null }
      await keepRow(tx, subject.value, {
        spawn: spawn?.id ?? null,
        state: 'waived',
        atoms: [],
        ...nowhere,
        reason,
      })
      return ok({ id, what: nameOf(subject.value), state: 'waived' as const, reason })
    })
  },
})

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
      problems: [{ path: 'criterion', message: 'name one criterion or one gate' }],
    })
  if (n !== undefined) {
    const all = await criteria.read(store, id)
    const criterion = all.find((each) => each.n === n)
    return criterion ? ok({ task, criterion }) : fail('criterion.not_found', { id, n, count: all.length })
  }
  const gate = gates.find((each) => each.toLowerCase() === named!.toLowerCase())
  if (!gate) return fail('gate.unknown', { gate: named!, near: nearest(named!, gates), id, known: gates })
  return hardGates.includes(gate) ? fail('gate.hard', { id, gate }) : ok({ task, gate })
}
