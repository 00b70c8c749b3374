import { describe, expect, test } from 'vitest'
import { type Ballot, tally } from '../../src/consensus/tally.ts'
import { parseConflict } from '../../src/consensus/vote.ts'
import fc, { runs } from '../support/properties.ts'

const options = ['a', 'b', 'c']

const ballots = fc.array(
  fc.record({
    agent: fc.constantFrom('ada', 'bob', 'cyd', 'T013.1', 'T013.2', 'T014.1'),
    option: fc.constantFrom(...options),
    position: fc.constantFrom('accept', 'reject', 'abstain'),
    // A number of thousandths, because the definition below computes in whole numbers. About half of the cases use
    // one of a few round numbers.
    confidence: fc.oneof(
      fc.constantFrom(0, 0.1, 0.2, 0.3, 0.5, 1),
      fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
    ),
  }) as fc.Arbitrary<Ballot>,
  { maxLength: 16 },
)

/**
 * Returns the votes that count: the last vote of each voter on each option. A vote of a later attempt of a task
 * replaces the vote of an earlier attempt.
 */
const counting = (cast: readonly Ballot[]): Ballot[] => {
  const superseded = (one: Ballot) =>
    one.agent === 'T013.1' && cast.some(({ agent, option }) => agent === 'T013.2' && option === one.option)
  return cast.filter(
    (one, i) =>
      !superseded(one) &&
      !cast.slice(i + 1).some(({ agent, option }) => agent === one.agent && option === one.option),
  )
}

const thousandths = (votes: readonly Ballot[]) =>
  votes.reduce((sum, { confidence }) => sum + Math.round(confidence * 1000), 0)

/** The verdict as PROTOCOLS.md defines it, sentence by sentence. */
const byDefinition = (cast: readonly Ballot[], threshold: number, round: number): string | null => {
  const votes = counting(cast).filter(({ position }) => position !== 'abstain')
  const voter = ({ agent }: Ballot) => agent.replace(/^(T\d+)\.\d+$/, '$1')
  const on = (option: string) => votes.filter((vote) => vote.option === option)
  const accepting = (option: string) =>
    thousandths(on(option).filter(({ position }) => position === 'accept'))
  const rejecting = (option: string) => thousandths(on(option)) - accepting(option)
  const above = options.filter(
    (option) => accepting(option) * 1000 > Math.round(threshold * 1000) * thousandths(on(option)),
  )
  if (new Set(votes.map(voter)).size < 2) return 'insufficient'
  if (above.length === 1 && on(above[0]!).length >= 2) return `proven ${above[0]}`
  const majority = options.every((option) => on(option).length >= 2 && rejecting(option) > accepting(option))
  if (above.length === 0 && majority) return 'refuted'
  return round >= 2 ? 'contested' : null
}

const verdictOf = (cast: readonly Ballot[], threshold: number, round: number): string | null => {
  const { verdict, option } = tally({ options, threshold, round }, cast)
  return option === undefined ? verdict : `${verdict} ${option}`
}

const vote = (agent: string, option: string, position: Ballot['position'], confidence: number): Ballot => ({
  agent,
  option,
  position,
  confidence,
})

describe('[PROT-3] the verdict', () => {
  test('follows the definition, whatever the votes', () => {
    const seen = new Set<string | null>()
    fc.assert(
      fc.property(
        ballots,
        fc.constantFrom(0, 0.3, 0.5, 0.667, 0.999),
        fc.constantFrom(1, 2),
        (cast, threshold, round) => {
          const verdict = verdictOf(cast, threshold, round)
          seen.add(verdict)
          expect(verdict).toBe(byDefinition(cast, threshold, round))
        },
      ),
      { numRuns: runs(10_000) },
    )
    expect([...seen].sort()).toEqual(
      [null, 'contested', 'insufficient', 'proven a', 'proven b', 'proven c', 'refuted'].sort(),
    )
  })

  test('does not depend on the order of other voters', () => {
    fc.assert(
      fc.property(ballots, fc.constantFrom(0.3, 0.5), (cast, threshold) => {
        const agents = [...new Set(cast.map(({ agent }) => agent))].reverse()
        const turned = agents.flatMap((agent) => cast.filter((one) => one.agent === agent))
        expect(verdictOf(turned, threshold, 2)).toBe(verdictOf(cast, threshold, 2))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('is not proven at exactly the threshold', () => {
    const draw = [
      vote('ada', 'a', 'accept', 0.1),
      vote('bob', 'a', 'accept', 0.2),
      vote('cyd', 'a', 'reject', 0.3),
    ]
    expect(tally({ options: ['a'], threshold: 0.5, round: 2 }, draw)).toEqual({
      verdict: 'contested',
      voters: 3,
      options: [{ option: 'a', weight: 0.5, accept: 2, reject: 1, abstain: 0 }],
    })
  })

  test('never follows from one voter, nor from one and an abstention', () => {
    const one = [vote('ada', 'a', 'accept', 1), vote('bob', 'a', 'abstain', 1)]
    expect(tally({ options: ['a'], threshold: 0.5, round: 1 }, one).verdict).toBe('insufficient')
    const apart = [vote('ada', 'a', 'accept', 1), vote('bob', 'b', 'reject', 1)]
    expect(tally({ options: ['a', 'b'], threshold: 0.5, round: 1 }, apart).verdict).toBeNull()
  })

  test('counts a task once, however often it was spawned', () => {
    const twice = [vote('T013.1', 'a', 'accept', 1), vote('T013.2', 'a', 'accept', 1)]
    expect(tally({ options: ['a'], threshold: 0.5, round: 1 }, twice)).toMatchObject({
      verdict: 'insufficient',
      voters: 1,
    })
  })
})

describe('[PROT-3] a conflict', () => {
  test.each([
    ['no daemon:high', { with: 'no daemon', severity: 'high' }],
    ['src/a.ts:12: Low ', { with: 'src/a.ts:12', severity: 'low' }],
    ['no daemon', undefined],
    [':high', undefined],
    ['no daemon:', undefined],
    ['no daemon:dreadful', undefined],
  ])('%s', (text, conflict) => {
    expect(parseConflict(text)).toEqual(conflict)
  })
})
