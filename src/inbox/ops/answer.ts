import * as v from 'valibot'
import { parseNumbered } from '../../kernel/numbered-id.ts'
import { fail, type Problem } from '../../kernel/result.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { answerConsensus } from '../answer-consensus.ts'
import { answerQuestion } from '../answer-question.ts'
import { answerTask } from '../answer-task.ts'

const ItemId = v.pipe(
  v.string(),
  v.check(
    (id) => kindOf(id) !== undefined,
    'is an id of the inbox: a task T012, a consensus C1 or a question Q3',
  ),
)

export const answer = operation({
  name: 'inbox.answer',
  kind: 'mutate',
  tier: 1,
  summary: 'Answer what waits for a person.',
  input: v.strictObject({
    id: describe(ItemId, 'what is answered, by its id in the inbox'),
    // Leaves room in a note for what was asked.
    text: v.optional(describe(text(3000), 'what those who go on have to know; takes the block from a task')),
    choose: v.optional(describe(text(200), 'the option, where votes left it contested')),
    reason: v.optional(describe(Reason, 'why this option, or none')),
    yes: v.optional(describe(v.boolean(), 'yes to the question')),
    no: v.optional(describe(v.boolean(), 'no to the question, or to every option')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      answer: v.string(),
      task: v.optional(v.string()),
      then: v.optional(v.string()),
    }),
  errors: [
    'input.invalid',
    'task.not_found',
    'task.status',
    'consensus.not_found',
    'consensus.over',
    'question.not_found',
    'question.answered',
    'criterion.not_found',
    'gate.unknown',
    'gate.hard',
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
  human: ({ id, answer, then }, style) => [
    `${style.cyan(id)} answered: ${answer}`,
    ...(then ? [`  then: ${then}`] : []),
  ],
  async run(input, context) {
    const kind = kindOf(input.id)!
    const problems = misfits(kind, input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    const { text, choose, reason, yes = false } = input
    if (kind === 'task') return answerTask(context, parseTaskId(input.id)!, text!)
    if (kind === 'consensus')
      return answerConsensus(context, parseNumbered('C', input.id)!, { choose, reason: reason! })
    return answerQuestion(context, parseNumbered('Q', input.id)!, { yes, text })
  },
})

type Kind = 'task' | 'consensus' | 'question'

const kindOf = (id: string): Kind | undefined => {
  if (parseTaskId(id)) return 'task'
  if (parseNumbered('C', id)) return 'consensus'
  return parseNumbered('Q', id) ? 'question' : undefined
}

const takes = {
  task: ['text'],
  consensus: ['choose', 'no', 'reason'],
  question: ['yes', 'no', 'text'],
} as const

const ways: Record<Kind, string> = {
  task: 'a blocked task is answered with --text',
  consensus: 'a consensus is answered with --choose or --no, and --reason',
  question: 'a question is answered with --yes or --no',
}

interface Given {
  id: string
  text?: string
  choose?: string
  reason?: string
  yes?: boolean
  no?: boolean
}

/** Everything that does not go with what is answered, and everything that is missing. */
const misfits = (kind: Kind, { id, ...given }: Given): Problem[] => {
  const said = Object.entries(given).flatMap(([key, value]) =>
    value === undefined || value === false ? [] : [key],
  )
  const fix = 'cleo inbox answer --help'
  const problems = said
    .filter((key) => !(takes[kind] as readonly string[]).includes(key))
    .map((path): Problem => ({ path, message: `does not go with ${id}: ${ways[kind]}`, fix }))
  const one = (...keys: string[]) => {
    const chosen = keys.filter((key) => said.includes(key))
    if (chosen.length === 1) return
    const message = chosen.length === 0 ? `is missing: ${ways[kind]}` : `goes alone: ${ways[kind]}`
    problems.push({ path: chosen.at(-1) ?? keys[0]!, message, fix })
  }
  if (kind === 'task') one('text')
  if (kind === 'consensus') {
    one('choose', 'no')
    one('reason')
  }
  if (kind === 'question') one('yes', 'no')
  return problems
}
