import * as v from 'valibot'

export const verdicts = ['proven', 'refuted', 'contested', 'insufficient'] as const
export type Verdict = (typeof verdicts)[number]

/** After this many rounds without a verdict, a person decides. */
export const maxRounds = 2

/** A consensus in one line, with question and option shortened. */
export const consensusLineShape = () =>
  v.object({
    id: v.string(),
    taskId: v.string(),
    question: v.string(),
    round: v.number(),
    /** How many voters have voted in this round. */
    votes: v.number(),
    /** How many voters the round has; missing if anyone may vote. */
    of: v.optional(v.number()),
    /** Null until there is a verdict. */
    verdict: v.nullable(v.picklist(verdicts)),
    /** The option that the verdict accepts. */
    option: v.optional(v.string()),
    /** The person who decided a contested vote. `option` is then this person's choice. */
    decidedBy: v.optional(v.string()),
  })
export type ConsensusLine = v.InferOutput<ReturnType<typeof consensusLineShape>>

/** For example `round 1, 2 of 3 votes, no verdict yet`. */
export const drawVotes = ({ round, votes, of, verdict, option, decidedBy }: ConsensusLine): string => {
  const count = of === undefined ? `${votes} ${votes === 1 ? 'voter' : 'voters'}` : `${votes} of ${of} votes`
  const outcome = decidedBy ? `decided by ${decidedBy}` : (verdict ?? 'no verdict yet')
  return `round ${round}, ${count}, ${outcome}${option === undefined ? '' : `: ${option}`}`
}
