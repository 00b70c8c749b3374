import { test } from 'vitest'
import { killRuns, killWithoutResume } from '../reliability/run-kills.ts'

test('[RUN-2] a run whose driver is killed with -9 four times merges every task once and leaves no process', () =>
  killRuns({ tasks: 6, parallel: 3, kills: 4, seed: 7 }))

test('[RUN-2] a run that is killed with -9 and not resumed leaves no process', async () => {
  await killWithoutResume({ parallel: 2 })
})
