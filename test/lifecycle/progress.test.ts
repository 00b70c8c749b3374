import { describe, expect, test } from 'vitest'
import type { Stage } from '../../src/kernel/task.ts'
import {
  maySkip,
  progressOf,
  routeTo,
  type StageMove,
  stageAfter,
  stageOrder,
} from '../../src/lifecycle/progress.ts'
import fc, { runs } from '../support/properties.ts'

const move = (
  kind: StageMove['move'],
  from: Stage,
  to: Stage | null,
  reason: string | null = null,
): StageMove => ({
  move: kind,
  from_stage: from,
  to_stage: to,
  reason,
})

const states = (moves: readonly StageMove[], stage: Stage | null) =>
  progressOf(moves, stage).stages.map(({ state }) => state)

describe('[PROT-2] the progress of an epic', () => {
  test('starts at research unless a stage was set', () => {
    expect(progressOf([], null)).toMatchObject({ current: 'research', over: false })
    expect(states([], null)).toEqual(['current', ...Array(8).fill('ahead')])
    const started = progressOf([], 'implementation')
    expect(started.current).toBe('implementation')
    expect(started.stages[0]).toEqual({
      stage: 'research',
      state: 'skipped',
      reason: 'the epic began at implementation',
    })
  })

  test('going back reopens the stages after it', () => {
    const moves = [move('advance', 'testing', 'release'), move('back', 'release', 'implementation', 'a flaw')]
    const { stages, loops } = progressOf(moves, 'implementation')
    expect(loops).toBe(0)
    expect(Object.fromEntries(stages.map(({ stage, state }) => [stage, state]))).toMatchObject({
      decomposition: 'skipped',
      implementation: 'current',
      validation: 'ahead',
      testing: 'ahead',
      release: 'ahead',
    })
  })

  test('a stage set by hand skips those before it, and counts as a loop when it leads back from testing', () => {
    const moves = [move('advance', 'research', 'consensus'), move('advance', 'testing', 'release')]
    expect(progressOf(moves, 'release').stages.map(({ state }) => state)).toEqual([
      ...['done', ...Array(6).fill('skipped')],
      ...['done', 'current'],
    ])
    expect(progressOf([move('advance', 'validation', 'testing')], 'implementation').loops).toBe(1)
  })

  test('earlier stages are always done or skipped and later ones ahead, whatever the moves', () => {
    const walk = fc.array(
      fc.record({ to: fc.constantFrom(...stageOrder), kind: fc.constantFrom('on', 'skip', 'to', 'hand') }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(walk, fc.option(fc.constantFrom(...stageOrder)), (steps, began) => {
        let stage: Stage | null = began
        const moves: StageMove[] = []
        let loops = 0
        for (const { to, kind } of steps) {
          const { current, over } = progressOf(moves, stage)
          const next = stageAfter(current) ?? null
          if (kind === 'hand') {
            if (current === 'testing' && !over && stageOrder.indexOf(to) < stageOrder.indexOf(current))
              loops++
            stage = to
          } else if (kind === 'to' && stageOrder.indexOf(to) < stageOrder.indexOf(current)) {
            if (current === 'testing') loops++
            moves.push(move('back', current, to, 'why'))
            stage = to
          } else if (!over && (kind !== 'skip' || maySkip(current))) {
            moves.push(move(kind === 'skip' ? 'skip' : 'advance', current, next, 'why'))
            stage = next ?? current
          }
        }
        const progress = progressOf(moves, stage)
        expect(progress.current).toBe(stage ?? 'research')
        const at = progress.over ? stageOrder.length : stageOrder.indexOf(progress.current)
        for (const [i, { state }] of progress.stages.entries()) {
          if (i < at) expect(['done', 'skipped']).toContain(state)
          else expect(state).toBe(i === at ? 'current' : 'ahead')
        }
        // A stage set by hand records no move, so `loops` is compared only if no stage was set by hand.
        if (steps.every(({ kind }) => kind !== 'hand')) expect(progress.loops).toBe(loops)
      }),
      { numRuns: runs(10_000) },
    )
  })
})

describe('[PROT-2] the route to another stage', () => {
  const pairs = stageOrder.flatMap((from, i) => stageOrder.map((to, j) => ({ from, to, i, j })))

  test('passes skippable stages and no others', () => {
    for (const { from, to, i, j } of pairs) {
      const between = stageOrder.slice(i + 1, j)
      const forward = {
        kind: 'forward',
        skips: between.filter(maySkip),
        missing: between.filter((stage) => !maySkip(stage)),
      }
      const expected = i === j ? { kind: 'same' } : j < i ? { kind: 'back' } : forward
      expect(routeTo(progressOf([], from), to), `from ${from} to ${to}`).toEqual(expected)
    }
  })

  test('three stages can be skipped', () => {
    expect(stageOrder.filter(maySkip)).toEqual(['consensus', 'architecture-decision', 'release'])
  })
})
