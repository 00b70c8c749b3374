import { expect, test } from 'vitest'
import { faultsOf, filesOf, rowsOf } from '../support/doctor.ts'
import { onEveryStore } from '../support/project.ts'
import { randomHistory, weights } from '../support/random-history.ts'

onEveryStore((withProject, store) => {
  const count = store === 'sqlite' ? 50 : 8
  test(`[PROJ-6] ${count} projects with a random history are healthy, and examining changes nothing`, async () => {
    const did: Record<string, number> = {}
    for (let seed = 1; seed <= count; seed++)
      await withProject(async (project) => {
        const done = await randomHistory(project, { seed, steps: 80 })
        for (const [action, times] of Object.entries(done)) did[action] = (did[action] ?? 0) + times
        const before = { rows: await rowsOf(project), files: filesOf(project.root) }
        expect(await faultsOf(project), `seed ${seed}`).toBeUndefined()
        expect(await faultsOf(project, true), `seed ${seed}`).toBeUndefined()
        expect({ rows: await rowsOf(project), files: filesOf(project.root) }).toEqual(before)
      })
    console.log(`healthy: ${count} projects, ${JSON.stringify(did)}`)
    if (count === 50)
      expect(Object.keys(did).sort(), 'every action was used').toEqual(Object.keys(weights).sort())
  })
})
