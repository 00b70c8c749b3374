import { expect, test } from 'vitest'
import { playChaos } from '../support/chaos.ts'

// This test runs the sources, because it also runs with patches of test/mutants. `npm run test:long` has the larger
// counts.
test('[PROJ-3] [SESS-3] 40 tasks, 4 agents, kills, cuts and a restart: all done, nothing lost, no stale completion', async () => {
  const found = await playChaos({ tasks: 40, workers: 4, kills: 2, cuts: 4, restarts: 1, hangs: 0.3 })
  console.log(`chaos: ${found.acknowledged} acknowledged writes, ${found.overtaken} agents came too late`)
  expect(found.stale, 'completed under an old epoch').toEqual([])
  expect(found).toMatchObject({ open: 0, lostNotes: [], lostCompletions: [] })
  expect(found.overtaken, 'agents lost their task').toBeGreaterThan(0)
})
