import { maxRounds, type Verdict } from '../kernel/consensus-line.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Position } from './vote.ts'

export interface Ballot {
  agent: string
  option: string
  position: Position
  confidence: number
}

export interface OptionTally {
  option: string
  /**
   * The confidence of all accepting votes, divided by the confidence of all accepting and rejecting votes. 0 if no vote
   * accepts or rejects the option.
   */
  weight: number
  accept: number
  reject: number
  abstain: number
}

export interface Tally {
  /** Null while another round can still decide the question. */
  verdict: Verdict | null
  /** The option that the verdict accepts. */
  option?: string
  /** How many agents accepted or rejected at least one option. */
  voters: number
  options: OptionTally[]
}

export interface RoundRules {
  options: readonly string[]
  threshold: number
  round: number
}

/**
 * Counts the votes of one round. Adds up the confidence in whole millionths, because sums of floating-point numbers are
 * not exact. With such numbers, votes of 0.1 and 0.2 against a vote of 0.3 would not be a draw. The order of the votes
 * could also change the result.
 */
export const tally = ({ options, threshold, round }: RoundRules, ballots: readonly Ballot[]): Tally => {
  const counted = latestBallots(ballots)
  const sums = options.map((option) => sumOf(counted.filter((ballot) => ballot.option === option)))
  const judged = counted.filter(({ position }) => position !== 'abstain')
  const voters = new Set(judged.map(({ agent }) => voterOf(agent))).size
  const above = sums.flatMap((sum, i) => (isAbove(sum, threshold) ? [i] : []))
  const [first] = above
  const proven = above.length === 1 && hasEnough(sums[first!]!) ? options[first!] : undefined
  const refuted = above.length === 0 && sums.every((sum) => hasEnough(sum) && sum.rejecting > sum.accepting)
  return {
    verdict: verdictOf({ voters, proven: proven !== undefined, refuted, round }),
    ...(voters >= minVoters && proven !== undefined && { option: proven }),
    voters,
    options: sums.map(({ accepting, rejecting, ...counts }, i) => ({
      option: options[i]!,
      weight: rounded(accepting, accepting + rejecting),
      ...counts,
    })),
  }
}

/** A single voter cannot decide a question. */
const minVoters = 2

interface VoteFacts {
  voters: number
  proven: boolean
  refuted: boolean
  round: number
}

const verdictOf = ({ voters, proven, refuted, round }: VoteFacts): Verdict | null => {
  if (voters < minVoters) return 'insufficient'
  if (proven) return 'proven'
  if (refuted) return 'refuted'
  return round >= maxRounds ? 'contested' : null
}

interface Sum {
  accepting: number
  rejecting: number
  accept: number
  reject: number
  abstain: number
}

const sumOf = (ballots: readonly Ballot[]): Sum => {
  const sum: Sum = { accepting: 0, rejecting: 0, accept: 0, reject: 0, abstain: 0 }
  for (const { position, confidence } of ballots) {
    sum[position]++
    if (position === 'accept') sum.accepting += millionths(confidence)
    if (position === 'reject') sum.rejecting += millionths(confidence)
  }
  return sum
}

const hasEnough = ({ accept, reject }: Sum): boolean => accept + reject >= minVoters

const isAbove = ({ accepting, rejecting }: Sum, threshold: number): boolean =>
  accepting * million > millionths(threshold) * (accepting + rejecting)

const million = 1_000_000
const millionths = (share: number): number => Math.round(share * million)
const rounded = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000

/** All attempts at a task count as one voter. */
const latestBallots = (ballots: readonly Ballot[]): Ballot[] => {
  const last = new Map<string, Ballot>()
  for (const ballot of ballots) {
    const key = `${voterOf(ballot.agent)}\n${ballot.option}`
    const other = last.get(key)
    if (!other || attemptOf(ballot.agent) >= attemptOf(other.agent)) last.set(key, ballot)
  }
  return [...last.values()]
}

// A voter with a task gets a name that ends with a dot. No actor has such a name, so no agent can pretend to be that
// voter.
const voterOf = (agent: string): string => {
  const spawn = parseSpawnId(agent)
  return spawn ? `${spawn.task}.` : agent
}

const attemptOf = (agent: string): number => parseSpawnId(agent)?.attempt ?? 0
