import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { type Failure, fail, ok, type Result } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as criteria from '../../tasks/sql/criteria.ts'
import { CriterionNumber, drawTaken, EvidenceText, takenShape } from '../shapes.ts'
import { keepRow, mayStillSpeak, openTask, type Subject, type Taken, take, takeCodes } from '../take.ts'

export const criterion = operation({
  name: 'verify.criterion',
  kind: 'mutate',
  tier: 0,
  summary: 'Show that an acceptance criterion is met, or say that it is not.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    criterion: describe(CriterionNumber, 'its number'),
    evidence: v.optional(EvidenceText),
    unmet: v.optional(describe(v.boolean(), 'it is not met; the entry then has to say partial'), false),
    reason: v.optional(describe(Reason, 'why it is not met')),
  }),
  output: () => v.object({ id: v.string(), criterion: v.number(), text: v.string(), ...takenShape() }),
  errors: [...takeCodes, 'criterion.not_found', 'input.invalid'],
  cli: {
    command: 'verify --criterion',
    positional: ['id'],
    examples: [
      'cleo verify T012 --criterion 2 --evidence "files:test/form.test.ts"',
      'cleo verify T012 --criterion 3 --unmet --reason "the mail server is not there"',
    ],
  },
  human: ({ id, criterion, text, ...taken }, style) =>
    drawTaken(`${style.cyan(id)} criterion ${criterion} (${text})`, taken, style, {
      passed: 'met',
      failed: 'not met',
    }),
  async run(input, context) {
    const wrong = misgiven(input)
    if (wrong) return wrong
    const task = await openTask(context, input.id)
    if (!task.ok) return task
    const all = await criteria.read(context.store, input.id)
    const found = all.find(({ n }) => n === input.criterion)
    if (!found) return fail('criterion.not_found', { id: input.id, n: input.criterion, count: all.length })
    const subject = { task: task.value, criterion: found }
    const taken: Result<Taken, (typeof takeCodes)[number]> = input.unmet
      ? await sayUnmet(context, subject, input.reason!)
      : await take(context, subject, input.evidence!)
    if (!taken.ok) return taken
    const { n, text } = found
    return ok({ id: input.id, criterion: n, text, ...taken.value }, { warnings: taken.warnings })
  },
})

interface Given {
  evidence?: string
  unmet: boolean
  reason?: string
}

const misgiven = ({ evidence, unmet, reason }: Given): Failure<'input.invalid'> | undefined => {
  const problems = [
    ...(unmet && evidence !== undefined
      ? [{ path: 'unmet', message: 'give evidence, or say that it is not met' }]
      : []),
    ...(unmet && reason === undefined ? [{ path: 'reason', message: 'is missing: why is it not met?' }] : []),
    ...(!unmet && evidence === undefined ? [{ path: 'evidence', message: 'is missing' }] : []),
    ...(!unmet && reason !== undefined ? [{ path: 'reason', message: 'goes with --unmet or --waive' }] : []),
  ]
  return problems.length > 0 ? fail('input.invalid', { problems }) : undefined
}

const sayUnmet = (
  context: Context,
  subject: Subject,
  reason: string,
): Promise<Result<Taken, (typeof takeCodes)[number]>> =>
  context.write<Result<Taken, (typeof takeCodes)[number]>>(async (tx) => {
    const spawn = await spawns.latest(tx.db, subject.task.id)
    const refused = await mayStillSpeak(tx, context, subject.task.id, spawn)
    if (refused) return refused
    const nowhere = { worktree: null, head: null, tree: null }
    await keepRow(tx, subject, { spawn: spawn?.id ?? null, state: 'failed', atoms: [], ...nowhere, reason })
    return ok({ state: 'failed' as const, evidence: [] })
  })
