import { parseSpawnId } from '../kernel/task-id.ts'
import { type Position, rounds, type Verdict } from './words.ts'

export interface Ballot {
  agent: string
  option: string
  position: Position
  confidence: number
}

export interface Weighed {
  option: string
  /** Accepting confidence by all confidence that does not abstain; 0 where there is none. */
  weight: number
  accept: number
  reject: number
  abstain: number
}

export interface Tally {
  /** None while another round may still decide it. */
  verdict: Verdict | null
  /** The one that is proven. */
  option?: string
  /** Who judged at least one option. */
  voters: number
  options: Weighed[]
}

export interface Asked {
  options: readonly string[]
  threshold: number
  round: number
}

/**
 * What the votes of one round come to. Confidence is counted in whole millionths: as fractions 0.1 and 0.2 against 0.3
 * would not be a draw, and the order of votes could decide.
 */
export const tally = ({ options, threshold, round }: Asked, ballots: readonly Ballot[]): Tally => {
  const counted = lastWord(ballots)
  const sums = options.map((option) => sumOf(counted.filter((ballot) => ballot.option === option)))
  const judged = counted.filter(({ position }) => position !== 'abstain')
  const voters = new Set(judged.map(({ agent }) => voterOf(agent))).size
  const above = sums.flatMap((sum, i) => (isAbove(sum, threshold) ? [i] : []))
  const [first] = above
  const proven = above.length === 1 && enough(sums[first!]!) ? options[first!] : undefined
  const refuted = above.length === 0 && sums.every((sum) => enough(sum) && sum.rejecting > sum.accepting)
  return {
    verdict: verdictOf({ voters, proven: proven !== undefined, refuted, round }),
    ...(voters >= fewest && proven !== undefined && { option: proven }),
    voters,
    options: sums.map(({ accepting, rejecting, ...counts }, i) => ({
      option: options[i]!,
      weight: rounded(accepting, accepting + rejecting),
      ...counts,
    })),
  }
}

/** No option stands or falls by the word of one. */
const fewest = 2

interface Found {
  voters: number
  proven: boolean
  refuted: boolean
  round: number
}

const verdictOf = ({ voters, proven, refuted, round }: Found): Verdict | null => {
  if (voters < fewest) return 'insufficient'
  if (proven) return 'proven'
  if (refuted) return 'refuted'
  return round >= rounds ? 'contested' : null
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

const enough = ({ accept, reject }: Sum): boolean => accept + reject >= fewest

const isAbove = ({ accepting, rejecting }: Sum, threshold: number): boolean =>
  accepting * million > millionths(threshold) * (accepting + rejecting)

const million = 1_000_000
const millionths = (share: number): number => Math.round(share * million)
const rounded = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000

/** A task that was handed out again is the same voter: its later attempt takes the word of the earlier one. */
const lastWord = (ballots: readonly Ballot[]): Ballot[] => {
  const last = new Map<string, Ballot>()
  for (const ballot of ballots) {
    const key = `${voterOf(ballot.agent)}\n${ballot.option}`
    const other = last.get(key)
    if (!other || attemptOf(ballot.agent) >= attemptOf(other.agent)) last.set(key, ballot)
  }
  return [...last.values()]
}

// With a point behind it: no actor's name ends in one, so nobody can be called like somebody's task.
const voterOf = (agent: string): string => {
  const spawn = parseSpawnId(agent)
  return spawn ? `${spawn.task}.` : agent
}

const attemptOf = (agent: string): number => parseSpawnId(agent)?.attempt ?? 0
