import { expect, test } from 'vitest'
import { examineHealthy } from '../doctor/random-projects.ts'
import { backupDrill } from '../reliability/backup-drill.ts'
import { claimRace } from '../reliability/claim-race.ts'
import { killFinishers } from '../reliability/finish-kills.ts'
import { killWriters } from '../reliability/kills.ts'
import { killAppenders } from '../reliability/manifest-kills.ts'
import { shellsAndAppenders } from '../reliability/manifest-shells.ts'
import { manyWriters } from '../reliability/many-writers.ts'
import { playAgents } from '../reliability/parallel-agents.ts'
import { spawnAtOnce } from '../reliability/parallel-spawns.ts'
import { killReceivers } from '../reliability/receive-kills.ts'
import { killRuns, killWithoutResume } from '../reliability/run-kills.ts'
import { simulate } from '../schedule/simulate.ts'
import { playChaos } from '../support/chaos.ts'
import { executable } from '../support/cleo.ts'
import { onEveryStore } from '../support/project.ts'

// The suites of test/reliability, at a size that takes too long for every test run.
test('[PROJ-3] 1,000 writers are killed with -9', () =>
  killWriters({ kills: 1000, lanes: 4, seed: 7, reader: executable }))

test('[MANI-1] 1,000 kill -9 around append', () =>
  killAppenders({ kills: 1000, lanes: 4, seed: 7, reader: executable }))

test('[MANI-2] 8 shells × 2,000 echo >> beside appends and ingest', () =>
  shellsAndAppenders({ shells: 8, lines: 2000, appenders: 3, entries: 150, reader: executable }))

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

test('[RUN-2] [RUN-3] 20,000 simulated runs: no task runs twice at once, none is lost', () => {
  for (let seed = 1; seed <= 20_000; seed++) expect(simulate(seed), `seed ${seed}`).toBeUndefined()
})

test('[RUN-2] 16 scripted agents, 200 tasks, and the driver is killed with -9 20 times on the way', () =>
  killRuns({ tasks: 200, parallel: 16, kills: 20, seed: 7 }))

test('[RUN-2] after a kill -9 without resume, nothing of 16 agents is left in 5 s', async () => {
  const ms = await killWithoutResume({ parallel: 16 })
  console.log(`no process was left after ${Math.round(ms)} ms`)
  expect(ms).toBeLessThan(5000)
})

onEveryStore((withProject, store) => {
  test(`[PROJ-6] 100 projects with a long random history are healthy (${store})`, async () => {
    await examineHealthy(withProject, { count: 100, steps: 80 })
  })
})
