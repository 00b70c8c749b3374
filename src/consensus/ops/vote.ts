import * as v from 'valibot'
import { nearest } from '../../kernel/nearest.ts'
import { NumberedId, numberedId } from '../../kernel/numbered-id.ts'
import { type Fault, fail, ok, type Problem } from '../../kernel/result.ts'
import { describe, list, text } from '../../kernel/text.ts'
import type { Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import * as consensus from '../sql.ts'
import { parseConflict, positions } from '../vote.ts'

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
  summary: 'Vote on one option; voting again in the same round replaces your vote.',
  input: v.strictObject({
    id: describe(NumberedId('C'), 'the consensus, such as C1'),
    option: describe(text(200), 'the option, by its exact name'),
    accept: v.optional(describe(v.boolean(), 'vote for it'), false),
    reject: v.optional(describe(v.boolean(), 'vote against it'), false),
    abstain: v.optional(describe(v.boolean(), 'vote neither for nor against it'), false),
    confidence: describe(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 'how sure you are, from 0 to 1'),
    rationale: describe(text(4000), 'why you vote this way'),
    evidence: v.optional(
      describe(Evidence, 'an entry, a file, a URL or a command you ran; at least one'),
      [],
    ),
    conflict: v.optional(describe(Conflicts, 'a conflict and its severity, such as "no daemon:high"'), []),
  }),
  output: () =>
    v.object({
      id: v.string(),
      option: v.string(),
      position: v.picklist(positions),
      confidence: v.number(),
      round: v.number(),
      replaced: v.optional(v.literal(true)),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['consensus.not_found', 'consensus.over', 'input.invalid'],
  cli: {
    command: 'consensus vote',
    positional: ['id'],
    examples: [
      'cleo consensus vote C1 --option "one table" --accept --confidence 0.8 --rationale "no new part" --evidence "T014, finding 2" --as T015.1',
      'cleo consensus vote C1 --option "a server" --reject --confidence 0.7 --rationale "must be kept running" --evidence docs/ops.md --conflict "no daemon:high"',
    ],
  },
  human: ({ id, option, position, confidence, round, replaced, noChange }, style) => [
    `${style.cyan(id)} ${position} ${confidence} on ${style.bold(option)}  ${style.dim(
      `round ${round}${noChange ? ', no change' : replaced ? ', replaces your earlier vote' : ''}`,
    )}`,
  ],
  examine: async (fit, { store }) => {
    const options = fit.id === undefined ? undefined : await optionsOf(store, fit.id)
    const problems = problemsOf(fit, options)
    const fault: Fault = { path: '', failure: fail('input.invalid', { problems }) }
    return problems.length > 0 ? [fault] : []
  },
  run: (input, { write }) => write((tx) => cast(tx, input)),
})

interface Vote {
  id: number
  option: string
  accept: boolean
  reject: boolean
  abstain: boolean
  confidence: number
  rationale: string
  evidence: string[]
  conflict: string[]
}

const cast = async (tx: Write, input: Vote) => {
  const id = numberedId('C', input.id)
  const row = await consensus.find(tx.db, input.id)
  if (!row) return fail('consensus.not_found', { id })
  const problems = problemsOf(input, await optionsOf(tx.db, input.id))
  if (problems.length > 0) return fail('input.invalid', { problems })
  if (row.decided_by !== null) return fail('consensus.over', { id, why: `was decided by ${row.decided_by}` })
  const position = positions.find((each) => input[each])!
  const { option, confidence } = input
  const vote: consensus.VoteRow = {
    consensus: row.seq,
    round: row.round,
    agent: tx.actor.id,
    option,
    position,
    confidence,
    rationale: input.rationale,
    evidence: JSON.stringify(input.evidence),
    conflicts: JSON.stringify(input.conflict.map(parseConflict)),
    at: tx.now,
  }
  const before = await consensus.voteOf(tx.db, vote)
  const answer = { id, option, position, confidence, round: row.round }
  if (before && isSameVote(before, vote)) return ok({ ...answer, noChange: true as const })
  await consensus.vote(tx.db, vote)
  await tx.record({
    task: row.task,
    ...(before && {
      before: { consensus: id, option, position: before.position, confidence: before.confidence },
    }),
    after: { consensus: id, round: row.round, option, position, confidence },
  })
  return ok({ ...answer, ...(before && { replaced: true as const }) })
}

const isSameVote = (a: consensus.VoteRow, b: consensus.VoteRow): boolean =>
  a.position === b.position &&
  a.confidence === b.confidence &&
  a.rationale === b.rationale &&
  a.evidence === b.evidence &&
  a.conflicts === b.conflicts

const optionsOf = async (db: Db, seq: number): Promise<string[] | undefined> =>
  (await consensus.optionsOf(db, [seq])).get(seq)

/** Checks what the schema cannot check: that the option exists, and that exactly one position is given. */
const problemsOf = (vote: Partial<Vote>, options: readonly string[] | undefined): Problem[] => {
  const { option } = vote
  const problems: Problem[] = []
  if (option !== undefined && options && !options.includes(option)) {
    const near = nearest(option, options)
    const hint = near ? `; did you mean "${near}"?` : ''
    problems.push({ path: 'option', message: `must be one of ${options.join(', ')}${hint}` })
  }
  if (positions.filter((each) => vote[each]).length !== 1)
    problems.push({ path: 'position', message: 'must be exactly one of --accept, --reject and --abstain' })
  return problems
}
