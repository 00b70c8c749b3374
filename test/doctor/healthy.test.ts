import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { weights } from '../support/random-history.ts'
import { examineHealthy } from './random-projects.ts'

onEveryStore((withProject, store) => {
  const count = store === 'sqlite' ? 50 : 8
  test(`[PROJ-6] ${count} projects with a random history are healthy, and examining changes nothing`, async () => {
    const did = await examineHealthy(withProject, { count, steps: 40 })
    if (count === 50)
      expect(Object.keys(did).sort(), 'every action was used').toEqual(Object.keys(weights).sort())
  })
})
