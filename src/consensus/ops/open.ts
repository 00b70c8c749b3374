import * as v from 'valibot'
import { NumberedId, parseNumbered } from '../../kernel/numbered-id.ts'
import { fail, type Problem } from '../../kernel/result.ts'
import { parseTaskId, TaskId } from '../../kernel/task-id.ts'
import { describe, list, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { openAgain, openCodes, openFirst } from '../open-round.ts'
import { minVoters, mostVoters } from '../voters.ts'

const Options = v.pipe(list(text(200), 'options', 20), v.metadata({ commas: false }))
const Threshold = v.pipe(
  v.number(),
  v.minValue(0),
  v.check((n) => n < 1, 'must be below 1, or no option could win'),
)
const Voters = v.pipe(v.number(), v.integer(), v.minValue(minVoters), v.maxValue(mostVoters))
const About = v.pipe(
  v.string(),
  v.check(
    (id) => parseTaskId(id) !== undefined || parseNumbered('C', id) !== undefined,
    'must be a task such as T012, or with --again a consensus such as C1',
  ),
)

export const open = operation({
  name: 'consensus.open',
  kind: 'mutate',
  tier: 1,
  summary: 'Open a vote on a question, or the second round of a vote.',
  input: v.strictObject({
    id: describe(About, 'the task that needs the decision; with --again, the consensus, such as C1'),
    question: v.optional(describe(text(2000), 'the question to decide')),
    option: v.optional(describe(Options, 'an option to vote on')),
    threshold: v.optional(
      describe(
        Threshold,
        'an option wins with more than this share of accepting votes, counted by confidence; default 0.5',
      ),
    ),
    voters: v.optional(
      describe(Voters, 'add this many voter tasks below the task; without voter tasks anyone may vote'),
    ),
    again: v.optional(describe(v.boolean(), 'open a second round if the first gave no verdict')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      taskId: v.string(),
      question: v.string(),
      options: v.array(v.string()),
      /**
       * An option wins if its weight is higher than this. The weight is the sum of the confidence of all votes that
       * accept the option, divided by the sum for all votes that accept or reject it.
       */
      threshold: v.number(),
      round: v.number(),
      /** The tasks of the voters. Spawn each of them. */
      voters: v.optional(v.array(v.string())),
      noChange: v.optional(v.literal(true)),
    }),
  errors: openCodes,
  cli: {
    command: 'consensus open',
    positional: ['id'],
    examples: [
      'cleo consensus open T012 --question "Which queue?" --option "one table" --option "a server" --voters 3',
      'cleo consensus open T012 --question "Which queue?" --option "one table" --option "a server"',
      'cleo consensus open C1 --again',
    ],
  },
  human: ({ id, question, options, round, voters, noChange }, style) => [
    `${style.cyan(id)} ${question}  ${style.dim(noChange ? 'is already open' : `round ${round}`)}`,
    ...options.map((option, n) => `  ${n + 1}. ${option}`),
    ...(voters
      ? [`  voters: ${voters.join(', ')}`, `  then: cleo spawn ${voters[0]} --ref`]
      : [
          `  vote: cleo consensus vote ${id} --option 1 --accept --confidence 0.8 --rationale "…" --evidence "…"`,
        ]),
  ],
  async run(input, { write }) {
    const problems = problemsOf(input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    if (input.again) return write((tx) => openAgain(tx, v.parse(NumberedId('C'), input.id), input.voters))
    const question = { question: input.question!, options: input.option!, threshold: input.threshold ?? 0.5 }
    return write((tx) => openFirst(tx, v.parse(TaskId, input.id), question, input.voters))
  },
})

interface OpenInput {
  id: string
  question?: string
  option?: string[]
  threshold?: number
  voters?: number
  again?: boolean
}

const problemsOf = ({ id, question, option, threshold, again }: OpenInput): Problem[] => {
  const isConsensus = parseNumbered('C', id) !== undefined
  const fix = 'cleo consensus open --help'
  if (again) {
    const wrong = Object.entries({ question, option, threshold }).filter(([, value]) => value !== undefined)
    return [
      ...(isConsensus
        ? []
        : [{ path: 'id', message: 'must be a consensus such as C1 if --again is given', fix }]),
      ...wrong.map(([path]) => ({ path, message: 'cannot be changed in a second round', fix })),
    ]
  }
  return [
    ...(isConsensus
      ? [
          {
            path: 'id',
            message: `${id} is a consensus; to open its second round, use --again`,
            fix: `cleo consensus open ${id} --again`,
          },
        ]
      : []),
    ...(question === undefined ? [{ path: 'question', message: 'is missing', fix }] : []),
    ...(option?.length
      ? []
      : [{ path: 'option', message: 'is missing: name the options to choose from', fix }]),
    ...(option ?? []).flatMap((name, n) => ambiguousName(name, n, option!.length)),
  ]
}

/**
 * Refuses an option whose name is the number of another option, because a voter can name an option by its number.
 */
const ambiguousName = (name: string, at: number, count: number): Problem[] => {
  const n = Number(name)
  if (String(n) !== name || !Number.isInteger(n) || n < 1 || n > count || n === at + 1) return []
  const message = `"${name}" is also the number of another option; use a longer name, such as "option ${name}"`
  return [{ path: `option.${at}`, message }]
}
