import { test } from 'vitest'
import { executable, fromSource } from '../support/cleo.ts'
import { backupDrill } from './backup-drill.ts'

test('[PROJ-5] [PROJ-6] backups under 8 writers, restored with two commands, are prefixes of what was done', () =>
  backupDrill({ writers: 8, backups: 9, apart: 200, seed: 20_265, cleo: executable }))

// At a size that is enough to notice what a patch of test/mutants breaks. Here it must pass.
test('backup drill', () => backupDrill({ writers: 3, backups: 6, apart: 30, seed: 3, cleo: fromSource }))
