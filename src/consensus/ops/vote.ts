import * as v from 'valibot'
import { verdicts } from '../../kernel/consensus-line.ts'
import { nearest } from '../../kernel/nearest.ts'
import { type Fault, fail, type Problem } from '../../kernel/result.ts'
import { describe, list, text } from '../../kernel/text.ts'
import type { Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import { ConsensusId, type ConsensusRef, findCodes, findConsensus } from '../find-consensus.ts'
import * as consensus from '../sql.ts'
import { type NewVote, storeVote } from '../store-vote.ts'
import { optionNamed, parseConflict, positions } from '../vote.ts'

const Evidence = v.pipe(
  list(text(1000), 'pieces of evidence', 50),
  v.minLength(1, 'is missing: name at least one piece of evidence'),
  v.metadata({ commas: false }),
)
const ConflictText = v.pipe(
  text(500),
  v.check((each) => parseConflict(each) !== undefined, 'must end in a severity, :low, :medium or :high'),
)
const Conflicts = v.pipe(list(ConflictText, 'conflicts', 50), v.metadata({ commas: false }))

export const vote = operation({
  name: 'consensus.vote',
  kind: 'mutate',
  tier: 1,
  summary: 'Vote on one option; a second vote on it in the same round replaces the first.',
  input: v.strictObject({
    id: describe(ConsensusId, "the consensus (such as C1), its task, or a voter's task"),
    option: describe(text(200), 'the option, by its exact name or its number'),
    accept: v.optional(describe(v.boolean(), 'vote for the option'), false),
    reject: v.optional(describe(v.boolean(), 'vote against the option'), false),
    abstain: v.optional(describe(v.boolean(), 'vote neither for nor against the option'), false),
    confidence: describe(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 'how sure you are, from 0 to 1'),
    rationale: describe(text(4000), 'why you vote this way'),
    evidence: v.optional(
      describe(Evidence, 'a manifest entry, a file, a URL or a command you ran; at least one'),
      [],
    ),
    conflict: v.optional(
      describe(
        Conflicts,
        'a rule that the option conflicts with, and the severity, such as "no daemon:high"',
      ),
      [],
    ),
  }),
  output: () =>
    v.object({
      id: v.string(),
      option: v.string(),
      position: v.picklist(positions),
      confidence: v.number(),
      round: v.number(),
      /** Set if the vote replaces an earlier one on the same option. */
      replaced: v.optional(v.literal(true)),
      /** How many voters have voted, and the verdict once all have voted. Set only if the voters have tasks. */
      tally: v.optional(
        v.object({
          voted: v.number(),
          of: v.number(),
          verdict: v.nullable(v.picklist(verdicts)),
          option: v.optional(v.string()),
        }),
      ),
      noChange: v.optional(v.literal(true)),
    }),
  errors: [...findCodes, 'consensus.over', 'consensus.voter', 'input.invalid'],
  cli: {
    command: 'consensus vote',
    positional: ['id'],
    examples: [
      'cleo consensus vote C1 --option "one table" --accept --confidence 0.8 --rationale "no new part" --evidence "T014, finding 2" --as T015.1',
      'cleo consensus vote C1 --option "a server" --reject --confidence 0.7 --rationale "must be kept running" --evidence docs/ops.md --conflict "no daemon:high"',
    ],
  },
  human: ({ id, option, position, confidence, round, replaced, noChange, tally }, style) => [
    `${style.cyan(id)} ${position} ${confidence} on ${style.bold(option)}  ${style.dim(
      `round ${round}${noChange ? ', no change' : replaced ? ', replaces your earlier vote' : ''}`,
    )}`,
    ...(tally ? [`  ${tallyLine(tally)}`] : []),
  ],
  examine: async (fit, { store }) => {
    const options = fit.id === undefined ? undefined : await optionsOf(store, fit.id)
    const problems = problemsOf(fit, options)
    const fault: Fault = { path: '', failure: fail('input.invalid', { problems }) }
    return problems.length > 0 ? [fault] : []
  },
  run: (input, { write }) => write((tx) => cast(tx, input)),
})

interface ShownTally {
  voted: number
  of: number
  verdict: string | null
  option?: string
}

const tallyLine = ({ voted, of, verdict, option }: ShownTally): string =>
  `${voted} of ${of} voters have voted${verdict === null ? '' : `: ${verdict}${option ? `, ${option}` : ''}`}`

interface Vote extends Omit<NewVote, 'position' | 'conflicts'> {
  id: ConsensusRef
  accept: boolean
  reject: boolean
  abstain: boolean
  conflict: string[]
}

const cast = async (tx: Write, input: Vote) => {
  const row = await findConsensus(tx.db, input.id)
  if ('ok' in row) return row
  const options = (await consensus.optionsOf(tx.db, [Number(row.seq)])).get(Number(row.seq)) ?? []
  const problems = problemsOf(input, options)
  if (problems.length > 0) return fail('input.invalid', { problems })
  const { confidence, rationale, evidence } = input
  return storeVote(tx, row, {
    option: optionNamed(input.option, options)!,
    position: positions.find((each) => input[each])!,
    ...{ confidence, rationale, evidence },
    conflicts: input.conflict.map((each) => parseConflict(each)!),
  })
}

const optionsOf = async (db: Db, ref: ConsensusRef): Promise<string[] | undefined> => {
  const row = await findConsensus(db, ref)
  return 'ok' in row ? undefined : (await consensus.optionsOf(db, [Number(row.seq)])).get(Number(row.seq))
}

/** Checks what the schema cannot: that the option exists, and that exactly one position is given. */
const problemsOf = (vote: Partial<Vote>, options: readonly string[] | undefined): Problem[] => {
  const { option } = vote
  const problems: Problem[] = []
  if (option !== undefined && options && optionNamed(option, options) === undefined) {
    const near = nearest(option, options)
    const hint = near ? `; did you mean "${near}"?` : ''
    problems.push({ path: 'option', message: `must be one of ${options.join(', ')}${hint}` })
  }
  if (positions.filter((each) => vote[each]).length !== 1)
    problems.push({ path: 'position', message: 'must be exactly one of --accept, --reject and --abstain' })
  return problems
}
