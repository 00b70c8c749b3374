import { expect, test } from 'vitest'
import { playChaos } from '../support/chaos.ts'

test('[PROJ-3] [SESS-3] 200 tasks, 8 agents, kills, cuts and restarts: all done, nothing lost, no stale completion', async () => {
  const found = await playChaos({ tasks: 200, workers: 8, kills: 4, cuts: 10, restarts: 2, hangs: 0.05 })
  console.log(`chaos: ${found.acknowledged} acknowledged writes, ${found.overtaken} agents came too late`)
  expect(found).toMatchObject({ open: 0, lostNotes: [], lostCompletions: [], stale: [] })
  expect(found.overtaken, 'agents lost their task').toBeGreaterThan(0)
})
