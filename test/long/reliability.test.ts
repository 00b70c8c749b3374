import { expect, test } from 'vitest'
import { backupDrill } from '../reliability/backup-drill.ts'
import { claimRace } from '../reliability/claim-race.ts'
import { killFinishers } from '../reliability/finish-kills.ts'
import { killWriters } from '../reliability/kills.ts'
import { killAppenders } from '../reliability/manifest-kills.ts'
import { manyWriters } from '../reliability/many-writers.ts'
import { playAgents } from '../reliability/parallel-agents.ts'
import { spawnAtOnce } from '../reliability/parallel-spawns.ts'
import { killReceivers } from '../reliability/receive-kills.ts'
import { playChaos } from '../support/chaos.ts'
import { executable } from '../support/cleo.ts'

// The suites of test/reliability at a size for which nobody wants to wait every time.
test('[PROJ-3] 1,000 writers are killed with -9', () =>
  killWriters({ kills: 1000, lanes: 4, seed: 7, reader: executable }))

test('[MANI-1] 1,000 kill -9 around append', () =>
  killAppenders({ kills: 1000, lanes: 4, seed: 7, reader: executable }))

test('[GATE-1] 200 kill -9 at every step of finish', () => killFinishers({ kills: 200, lanes: 4 }))

test('[PROJ-3] 8 processes make 2,000 mixed writes each', () =>
  manyWriters({ processes: 8, writes: 2000, seed: 7 }))

test('[SESS-3] 8 processes race for 10,000 tasks', () => claimRace({ processes: 8, tasks: 10_000 }))

test('[PROJ-3] [SESS-3] chaos of 2,000 tasks', async () => {
  const found = await playChaos({ tasks: 2000, workers: 8, kills: 20, cuts: 50, restarts: 6, hangs: 0.05 })
  expect(found).toMatchObject({ open: 0, lostNotes: [], lostCompletions: [], stale: [] })
})

test('[PROJ-5] [PROJ-6] 100 backups under 8 writers, each restored and checked', () =>
  backupDrill({ writers: 8, backups: 100, apart: 200, seed: 7, cleo: executable }))

test('[TREE-4] 150 kill -9 at every step of receive', () => killReceivers({ kills: 150 }))

test('[TREE-1] 16 spawns at once, in 100 rounds', () => spawnAtOnce({ spawns: 16, rounds: 100 }))

test('[TREE-4] [TREE-5] [TREE-7] 16 agents, 200 tasks: all work comes home, and nothing is left over', () =>
  playAgents({ agents: 16, tasks: 200, kills: 0, seed: 7 }))

test('[TREE-4] 16 agents, 200 tasks, and receive is killed with -9 50 times on the way', () =>
  playAgents({ agents: 16, tasks: 200, kills: 50, seed: 7 }))
