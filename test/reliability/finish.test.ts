import { test } from 'vitest'
import { killFinishers } from './finish-kills.ts'

// At a size that is enough to notice what a patch of test/mutants breaks. Here it must pass.
test('[GATE-1] finish is killed with -9 at different steps', () => killFinishers({ kills: 6, lanes: 1 }))
