import { test } from 'vitest'
import { killFinishers } from './finish-kills.ts'

// These counts are large enough to catch the mutants that name this test.
test('[GATE-1] finish is killed with -9 at different steps', () => killFinishers({ kills: 6, lanes: 1 }))
