import { test } from 'vitest'
import { builtOrSource } from '../support/cleo.ts'
import { backupDrill } from './backup-drill.ts'

// This test also runs with patches of test/mutants, and then uses the sources. `npm run test:long` has the larger
// counts.
test('[PROJ-5] [PROJ-6] backups under 3 writers, restored with two commands, are prefixes of what was done', () =>
  backupDrill({ writers: 3, backups: 6, apart: 30, seed: 3, cleo: builtOrSource }))
