import { expect, test } from 'vitest'
import { playChaos } from '../support/chaos.ts'
import { fromSource } from '../support/cleo.ts'
import { claimRace } from './claim-race.ts'
import { killWriters } from './kills.ts'
import { lateOwnerIsRefused, staleEpochTakesNothing } from './late-owner.ts'
import { manyWriters } from './many-writers.ts'

// At a size that is enough to notice what a patch of test/mutants breaks. Here they must pass.
test('many writers', () => manyWriters({ processes: 4, writes: 100, seed: 1 }))
test('claim race', () => claimRace({ processes: 4, tasks: 20 }))
test('late owner', lateOwnerIsRefused)
test('stale epoch', staleEpochTakesNothing)
test('kills', () => killWriters({ kills: 36, lanes: 1, seed: 2, reader: fromSource }))
test('chaos', async () => {
  const { stale } = await playChaos({ tasks: 16, workers: 4, kills: 0, cuts: 2, restarts: 0, hangs: 0.6 })
  expect(stale, 'completed under an old epoch').toEqual([])
})
