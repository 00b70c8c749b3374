import { test } from 'vitest'
import { killFinishers } from './finish-kills.ts'

// Large enough to notice what a patch of test/mutants breaks.
test('[GATE-1] finish is killed with -9 at different steps', () => killFinishers({ kills: 6, lanes: 1 }))
