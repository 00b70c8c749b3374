import * as v from 'valibot'
import { verdicts } from '../../kernel/consensus-line.ts'
import { numberedId } from '../../kernel/numbered-id.ts'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe } from '../../kernel/text.ts'
import { iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { ConsensusId, findCodes, findConsensus } from '../find-consensus.ts'
import { type ConsensusTally, readTally } from '../read-tally.ts'
import type * as consensus from '../sql.ts'
import { nextStep, whyUndecided } from '../verdict-text.ts'
import { type Conflict, positions, severities } from '../vote.ts'

const conflictShape = () => v.object({ with: v.string(), severity: v.picklist(severities) })

const shape = () =>
  v.object({
    id: v.string(),
    taskId: v.string(),
    question: v.string(),
    /** An option wins if its `weight` is higher than this. */
    threshold: v.number(),
    round: v.number(),
    /** How many agents accepted or rejected at least one option. */
    voters: v.number(),
    /** Null while there is no verdict, because voters have not voted yet or a second round can still decide. */
    verdict: v.nullable(v.picklist(verdicts)),
    /** Why the question is still undecided. */
    why: v.optional(v.string()),
    /** The tasks of the voters that have not voted yet. */
    waiting: v.optional(v.array(v.string())),
    /** The option that the verdict accepts. */
    option: v.optional(v.string()),
    options: v.array(
      v.object({
        option: v.string(),
        /** The confidence of all accepting votes, divided by the confidence of all accepting and rejecting votes. */
        weight: v.number(),
        /** Number of accepting votes. */
        accept: v.number(),
        reject: v.number(),
        abstain: v.number(),
      }),
    ),
    /** Conflicts between an option and a rule, as voters reported them. */
    conflicts: v.optional(
      v.array(v.object({ option: v.string(), by: v.string(), ...conflictShape().entries })),
    ),
    /** All votes. Set only with `--votes`. */
    votes: v.optional(
      v.array(
        v.object({
          agent: v.string(),
          option: v.string(),
          position: v.picklist(positions),
          confidence: v.number(),
          rationale: v.string(),
          evidence: v.array(v.string()),
          at: v.string(),
        }),
      ),
    ),
    /** A person's decision. If `option` is missing, the person rejected all options. */
    decision: v.optional(
      v.object({ option: v.optional(v.string()), reason: v.string(), by: v.string(), at: v.string() }),
    ),
    then: v.optional(v.string()),
  })
type ShownTally = v.InferOutput<ReturnType<typeof shape>>

export const tally = operation({
  name: 'consensus.tally',
  kind: 'query',
  tier: 1,
  summary: 'Count the votes of a consensus and show the verdict.',
  input: v.strictObject({
    id: describe(ConsensusId, "the consensus (such as C1), its task, or a voter's task"),
    votes: v.optional(describe(v.boolean(), 'also show each vote with rationale and evidence')),
  }),
  output: shape,
  errors: findCodes,
  cli: {
    command: 'consensus tally',
    positional: ['id'],
    examples: ['cleo consensus tally C1', 'cleo consensus tally T012 --votes'],
  },
  human: (data, style) => draw(data, style),
  async run({ id: ref, votes }, { store }) {
    const row = await findConsensus(store, ref)
    if ('ok' in row) return row
    const tallied = await readTally(store, row)
    const { verdict, option, options, voters, waiting } = tallied
    const { task, question, threshold } = row
    const conflicts = conflictsOf(tallied)
    const why = whyUndecided(tallied)
    const then = nextStep(tallied)
    return ok({
      ...{ id: numberedId('C', Number(row.seq)), taskId: task, question, threshold },
      ...{ round: Number(row.round), voters, verdict },
      ...(option !== undefined && { option }),
      ...(why && { why }),
      ...(waiting.length > 0 && { waiting }),
      options,
      ...(conflicts.length > 0 && { conflicts }),
      ...(votes && { votes: tallied.votes.map(shownVote) }),
      ...(row.decided_at !== null && { decision: decisionOf(row) }),
      ...(then && { then }),
    })
  },
})

const conflictsOf = ({ votes }: ConsensusTally) =>
  votes.flatMap(({ option, agent, conflicts }) =>
    (JSON.parse(conflicts) as Conflict[]).map((conflict) => ({ option, by: agent, ...conflict })),
  )

const shownVote = ({ agent, option, position, confidence, rationale, evidence, at }: consensus.VoteRow) => ({
  ...{ agent, option, position, confidence, rationale },
  evidence: JSON.parse(evidence) as string[],
  at: iso(at),
})

const decisionOf = ({ decision, reason, decided_by, decided_at }: consensus.ConsensusRow) => ({
  ...(decision !== null && { option: decision }),
  reason: reason ?? '',
  by: decided_by ?? '',
  at: iso(decided_at!),
})

const draw = (data: ShownTally, style: Style): string[] => {
  const { id, question, verdict, option, options, round, threshold, voters, decision } = data
  const outcome = verdict ?? 'no verdict yet'
  return [
    `${style.cyan(id)} ${question}`,
    `  ${style.bold(outcome)}${option ? `: ${option}` : ''}  ${style.dim(
      `round ${round} · ${voters} ${voters === 1 ? 'voter' : 'voters'} · threshold ${threshold}`,
    )}`,
    ...(data.why ? [`  ${data.why}`] : []),
    ...style.table(
      options.map(({ option, weight, accept, reject, abstain }) => [
        `  ${weight.toFixed(3)}`,
        option,
        style.dim(`${accept} for, ${reject} against, ${abstain} abstained`),
      ]),
      1,
    ),
    ...(data.conflicts ?? []).map(
      (each) =>
        `  ${style.yellow('!')} ${each.option} conflicts with ${each.with} (${each.severity}, ${each.by})`,
    ),
    ...(data.votes ?? []).flatMap((vote) => [
      `  ${vote.agent} ${vote.position} ${vote.confidence} on ${vote.option}: ${vote.rationale}`,
      ...vote.evidence.map((piece) => `    · ${piece}`),
    ]),
    ...(decision
      ? [
          `  ${style.green('✓')} ${decision.by} decided: ${decision.option ?? 'none of them'}. ${decision.reason}`,
        ]
      : []),
    ...(data.then ? [`  then: ${data.then}`] : []),
  ]
}
