import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'

test('[RUN-2] [RUN-3] 2,000 simulated runs: no task runs twice at once, none is lost', () => {
  for (let seed = 1; seed <= 2000; seed++) expect(simulate(seed), `seed ${seed}`).toBeUndefined()
})
