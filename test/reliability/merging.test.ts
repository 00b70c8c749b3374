import { test } from 'vitest'
import { playAgents } from './parallel-agents.ts'
import { spawnAtOnce } from './parallel-spawns.ts'
import { killReceivers } from './receive-kills.ts'

// These counts are large enough to notice what breaks merging. `npm run test:long` has the larger counts.
test('[TREE-4] receive is killed with -9 at different steps', () => killReceivers({ kills: 14 }))

test('[TREE-1] 16 spawns at once, in 3 rounds', () => spawnAtOnce({ spawns: 16, rounds: 3 }))

test('[TREE-4] [TREE-5] [TREE-7] agents in parallel: all work comes home, and nothing is left over', () =>
  playAgents({ agents: 4, tasks: 12, kills: 4, seed: 1 }))
