import { test } from 'vitest'
import { killFinishers } from './finish-kills.ts'

// These counts are large enough that the test fails with a patch of test/mutants.
test('[GATE-1] finish is killed with -9 at different steps', () => killFinishers({ kills: 6, lanes: 1 }))
