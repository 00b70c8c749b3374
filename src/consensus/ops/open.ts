import * as v from 'valibot'
import { NumberedId, numberedId, parseNumbered } from '../../kernel/numbered-id.ts'
import { type Failure, fail, ok, type Problem } from '../../kernel/result.ts'
import { parseTaskId, TaskId } from '../../kernel/task-id.ts'
import { describe, list, text } from '../../kernel/text.ts'
import type { Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { readTally } from '../read-tally.ts'
import * as consensus from '../sql.ts'
import { maxRounds } from '../tally.ts'

const Options = v.pipe(list(text(200), 'options', 20), v.metadata({ commas: false }))
const Threshold = v.pipe(
  v.number(),
  v.minValue(0),
  v.check((n) => n < 1, 'must be below 1, or no option could win'),
)
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
  summary: 'Open a vote on a question, or its second round.',
  input: v.strictObject({
    id: describe(About, 'the task to decide for; with --again, the consensus, such as C1'),
    question: v.optional(describe(text(2000), 'the question to decide')),
    option: v.optional(describe(Options, 'an option to vote on')),
    threshold: v.optional(
      describe(Threshold, 'an option wins with more than this share of the weight; default 0.5'),
    ),
    again: v.optional(describe(v.boolean(), 'open a second round if the first gave no verdict')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      task: v.string(),
      question: v.string(),
      options: v.array(v.string()),
      threshold: v.number(),
      round: v.number(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['task.not_found', 'consensus.not_found', 'consensus.over', 'consensus.unvoted', 'input.invalid'],
  cli: {
    command: 'consensus open',
    positional: ['id'],
    examples: [
      'cleo consensus open T012 --question "Which queue?" --option "one table" --option "a server"',
      'cleo consensus open C1 --again',
    ],
  },
  human: ({ id, question, options, round, noChange }, style) => [
    `${style.cyan(id)} ${question}  ${style.dim(noChange ? 'is already open' : `round ${round}`)}`,
    ...options.map((option) => `  · ${option}`),
    `  vote: cleo consensus vote ${id} --option "…" --accept --confidence 0.8 --rationale "…" --evidence "…"`,
  ],
  async run(input, { write }) {
    const problems = problemsOf(input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    if (input.again) return write((tx) => openAgain(tx, v.parse(NumberedId('C'), input.id)))
    const question = { question: input.question!, options: input.option!, threshold: input.threshold ?? 0.5 }
    return write((tx) => openFirst(tx, v.parse(TaskId, input.id), question))
  },
})

interface OpenInput {
  id: string
  question?: string
  option?: string[]
  threshold?: number
  again?: boolean
}

const problemsOf = ({ id, question, option, threshold, again }: OpenInput): Problem[] => {
  const isConsensus = parseNumbered('C', id) !== undefined
  const fix = 'cleo consensus open --help'
  if (again) {
    const wrong = Object.entries({ question, option, threshold }).filter(([, value]) => value !== undefined)
    return [
      ...(isConsensus ? [] : [{ path: 'id', message: 'must be a consensus such as C1 with --again', fix }]),
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
  ]
}

interface NewQuestion {
  question: string
  options: string[]
  threshold: number
}

/**
 * Opens the first round. If the task already has this question open, returns that consensus, so that an agent that
 * lost the id gets it again.
 */
const openFirst = async (tx: Write, task: string, { question, options, threshold }: NewQuestion) => {
  if (!(await tasks.find(tx.db, task))) return fail('task.not_found', { id: task })
  for (const row of await consensus.ofTask(tx.db, task)) {
    if (row.question !== question || row.threshold !== threshold || row.decided_at !== null) continue
    const known = (await consensus.optionsOf(tx.db, [row.seq])).get(row.seq) ?? []
    if (JSON.stringify(known) !== JSON.stringify(options)) continue
    return ok({ ...answer(row, options), noChange: true as const })
  }
  const row = { task, question, threshold, actor: tx.actor.id, at: tx.now }
  const seq = await consensus.open(tx.db, row, options)
  await tx.record({ task, after: { consensus: numberedId('C', seq), question, options, threshold } })
  return ok(answer({ ...row, seq, round: 1 }, options))
}

const openAgain = async (tx: Write, seq: number) => {
  const row = await consensus.find(tx.db, seq)
  const id = numberedId('C', seq)
  if (!row) return fail('consensus.not_found', { id })
  const { verdict, options } = await readTally(tx.db, row)
  const over = closedRound(id, row, verdict)
  if (over) return over
  await consensus.nextRound(tx.db, seq)
  await tx.record({
    task: row.task,
    before: { consensus: id, round: row.round },
    after: { consensus: id, round: row.round + 1 },
  })
  const names = options.map(({ option }) => option)
  return ok(answer({ ...row, round: row.round + 1 }, names))
}

/** Refuses a second round unless the first one left the question undecided. Always refuses a third round. */
const closedRound = (
  id: string,
  { decided_by, round }: consensus.ConsensusRow,
  verdict: string | null,
): Failure<'consensus.over' | 'consensus.unvoted'> | undefined => {
  if (decided_by !== null) return fail('consensus.over', { id, why: `was decided by ${decided_by}` })
  if (verdict === 'insufficient') return fail('consensus.unvoted', { id })
  if (verdict === null) return undefined
  const contested = `is contested after ${maxRounds} rounds; only a person can decide it, with cleo inbox`
  const why =
    verdict === 'contested' ? contested : `needs no second round: it is ${verdict} in round ${round}`
  return fail('consensus.over', { id, why })
}

type AnswerRow = Pick<consensus.ConsensusRow, 'seq' | 'task' | 'question' | 'threshold' | 'round'>

const answer = ({ seq, task, question, threshold, round }: AnswerRow, options: string[]) => ({
  id: numberedId('C', seq),
  task,
  question,
  options,
  threshold,
  round,
})
