import * as v from 'valibot'
import { parseNumbered } from '../../kernel/numbered-id.ts'
import { fail, type Problem } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { closeQuestion, decideConsensus, unblockTask } from '../apply-answer.ts'

const ItemId = v.pipe(
  v.string(),
  v.check(
    (id) => kindOf(id) !== undefined,
    'must be an inbox id: a task (T012), a consensus (C1) or a question (Q3)',
  ),
)

export const answer = operation({
  name: 'inbox.answer',
  kind: 'mutate',
  tier: 1,
  summary: 'Answer an inbox item: unblock a task, choose an option, or say yes or no.',
  input: v.strictObject({
    id: describe(ItemId, 'the id of the item in the inbox'),
    // The limit leaves room for the question, because question and answer are stored in one note.
    text: v.optional(describe(text(3000), 'answer for the next agent; unblocks the task')),
    choose: v.optional(describe(text(200), 'the option that you choose, if the votes did not decide')),
    reason: v.optional(describe(Reason, 'the reason for --choose, or for rejecting every option with --no')),
    yes: v.optional(describe(v.boolean(), 'answer yes to the question')),
    no: v.optional(describe(v.boolean(), 'answer no to the question, or reject every option')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      /** What was answered or decided. */
      answer: v.string(),
      taskId: v.optional(v.string()),
      /** Tasks that waited only for this answer and are done now. */
      completed: v.optional(v.array(v.string())),
      then: v.optional(v.string()),
    }),
  errors: [
    'input.invalid',
    'task.not_found',
    'task.status',
    'task.changed',
    'consensus.not_found',
    'consensus.over',
    'question.not_found',
    'question.answered',
    'question.unanswerable',
    'criterion.not_found',
    'gate.unknown',
  ],
  personOnly: true,
  cli: {
    command: 'inbox answer',
    positional: ['id'],
    examples: [
      'cleo inbox answer T012 --text "the key is in the team vault"',
      'cleo inbox answer C1 --choose "one table" --reason "we run no servers"',
      'cleo inbox answer Q3 --yes',
    ],
  },
  human: ({ id, answer, completed, then }, style) => [
    `${style.cyan(id)} answered: ${answer}`,
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run(input, context) {
    const kind = kindOf(input.id)!
    const problems = problemsOf(kind, input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    const { text, choose, reason, yes = false } = input
    if (kind === 'task') return unblockTask(context, parseTaskId(input.id)!, text!)
    if (kind === 'consensus')
      return decideConsensus(context, parseNumbered('C', input.id)!, { choose, reason: reason! })
    return closeQuestion(context, parseNumbered('Q', input.id)!, { yes, text })
  },
})

type Kind = 'task' | 'consensus' | 'question'

const kindOf = (id: string): Kind | undefined => {
  if (parseTaskId(id)) return 'task'
  if (parseNumbered('C', id)) return 'consensus'
  return parseNumbered('Q', id) ? 'question' : undefined
}

const flagsOf = {
  task: ['text'],
  consensus: ['choose', 'no', 'reason'],
  question: ['yes', 'no', 'text'],
} as const

const usage: Record<Kind, string> = {
  task: 'answer a blocked task with --text',
  consensus: 'answer a consensus with --choose or --no, and --reason',
  question: 'answer a question with --yes or --no',
}

interface AnswerInput {
  id: string
  text?: string
  choose?: string
  reason?: string
  yes?: boolean
  no?: boolean
}

/** Reports missing flags, flags that do not apply to this kind of item, and flags that cannot be combined. */
const problemsOf = (kind: Kind, { id, ...given }: AnswerInput): Problem[] => {
  const set = Object.entries(given).flatMap(([key, value]) =>
    value === undefined || value === false ? [] : [key],
  )
  const fix = 'cleo inbox answer --help'
  const problems = set
    .filter((key) => !(flagsOf[kind] as readonly string[]).includes(key))
    .map((path): Problem => ({ path, message: `does not apply to ${id}: ${usage[kind]}`, fix }))
  const exactlyOne = (...keys: string[]) => {
    const chosen = keys.filter((key) => set.includes(key))
    if (chosen.length === 1) return
    const message = chosen.length === 0 ? `is missing: ${usage[kind]}` : `cannot be combined: ${usage[kind]}`
    problems.push({ path: chosen.at(-1) ?? keys[0]!, message, fix })
  }
  if (kind === 'task') exactlyOne('text')
  if (kind === 'consensus') {
    exactlyOne('choose', 'no')
    exactlyOne('reason')
  }
  if (kind === 'question') exactlyOne('yes', 'no')
  return problems
}
