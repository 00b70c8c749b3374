import { test } from 'vitest'
import { builtOrSource } from '../support/cleo.ts'
import { killWriters } from './kills.ts'

// This test also runs with patches of test/mutants, and then uses the sources. `npm run test:long` has the larger
// counts.
test('[PROJ-3] writers are killed with -9: no acknowledged write is lost, nothing is half there', () =>
  killWriters({ kills: 36, lanes: 2, seed: 2, reader: builtOrSource }))
