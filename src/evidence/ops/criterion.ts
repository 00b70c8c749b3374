import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as criteria from '../../tasks/sql/criteria.ts'
import { namesTool } from '../atoms.ts'
import {
  CriterionNumber,
  recordEvidence,
  replacedRefusal,
  type Subject,
  taskToVerify,
} from '../record-evidence.ts'
import {
  drawSubmitted,
  EvidenceText,
  type SubmitCode,
  type SubmittedEvidence,
  submitCodes,
  submitEvidence,
  submittedShape,
} from '../submit.ts'

export const criterion = operation({
  name: 'verify.criterion',
  kind: 'mutate',
  tier: 0,
  summary: 'Prove that an acceptance criterion is met, or record that it is not.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    criterion: describe(CriterionNumber, 'number of the criterion'),
    evidence: v.optional(EvidenceText),
    unmet: v.optional(
      describe(v.boolean(), 'record that the criterion is not met; the task can then only end as partial'),
      false,
    ),
    reason: v.optional(describe(Reason, 'why the criterion is not met')),
  }),
  output: () => v.object({ id: v.string(), criterion: v.number(), text: v.string(), ...submittedShape() }),
  errors: [...submitCodes, 'criterion.not_found', 'input.invalid'],
  runsCommands: ({ evidence }) => namesTool(evidence),
  cli: {
    command: 'verify --criterion',
    positional: ['id'],
    examples: [
      'cleo verify T012 --criterion 2 --evidence "files:test/form.test.ts"',
      'cleo verify T012 --criterion 3 --unmet --reason "there is no mail server"',
    ],
  },
  human: ({ id, criterion, text, ...submitted }, style) =>
    drawSubmitted(`${style.cyan(id)} criterion ${criterion} (${text})`, submitted, style, {
      passed: 'met',
      failed: 'not met',
    }),
  async run(input, context) {
    const wrong = inputProblems(input)
    if (wrong) return wrong
    const task = await taskToVerify(context, input.id)
    if (!task.ok) return task
    const all = await criteria.read(context.store, input.id)
    const found = all.find(({ n }) => n === input.criterion)
    if (!found) return fail('criterion.not_found', { id: input.id, n: input.criterion, count: all.length })
    const subject = { task: task.value, criterion: found }
    const submitted: Result<SubmittedEvidence, SubmitCode> = input.unmet
      ? await recordUnmet(context, subject, input.reason!)
      : await submitEvidence(context, subject, input.evidence!)
    if (!submitted.ok) return submitted
    const { n, text } = found
    return ok({ id: input.id, criterion: n, text, ...submitted.value }, { warnings: submitted.warnings })
  },
})

interface CriterionInput {
  evidence?: string
  unmet: boolean
  reason?: string
}

const inputProblems = ({ evidence, unmet, reason }: CriterionInput): Failure<'input.invalid'> | undefined => {
  const problems = [
    ...(unmet && evidence !== undefined
      ? [{ path: 'unmet', message: 'cannot be combined with evidence' }]
      : []),
    ...(unmet && reason === undefined
      ? [{ path: 'reason', message: 'is missing: say why the criterion is not met' }]
      : []),
    ...(!unmet && evidence === undefined ? [{ path: 'evidence', message: 'is missing' }] : []),
    ...(!unmet && reason !== undefined ? [{ path: 'reason', message: 'needs --unmet or --waive' }] : []),
  ]
  return problems.length > 0 ? fail('input.invalid', { problems }) : undefined
}

const recordUnmet = (
  context: Context,
  subject: Subject,
  reason: string,
): Promise<Result<SubmittedEvidence, SubmitCode>> =>
  context.write<Result<SubmittedEvidence, SubmitCode>>(async (tx) => {
    const spawn = await spawns.latest(tx.db, subject.task.id)
    const refused = await replacedRefusal(tx, context, subject.task.id, spawn)
    if (refused) return refused
    await recordEvidence(tx, subject, { spawn: spawn?.id ?? null, state: 'failed', atoms: [], reason })
    return ok({ state: 'failed' as const, evidence: [] })
  })
