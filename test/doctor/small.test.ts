import { expect, test } from 'vitest'
import { faultsOf } from '../support/doctor.ts'
import { faults, settle } from '../support/planted-faults.ts'
import { withProject } from '../support/project.ts'
import { randomHistory } from '../support/random-history.ts'

// This test is small enough to run once for each mutant in test/mutants.
test('planted problems', async () => {
  const found: string[] = []
  const planted = faults.filter(({ only }) => only !== 'postgres')
  for (const { name, plant } of planted)
    await withProject(async (project) => {
      await settle(project)
      await plant(project, await project.store())
      const problems = (await faultsOf(project))?.problems ?? []
      found.push(`${name}: ${problems.map(({ path }) => path).join()}`)
    })
  expect(found, 'each is found by its own check').toEqual(
    planted.map(({ name, check }) => `${name}: ${check}`),
  )
})

test('healthy projects', async () => {
  const said: unknown[] = []
  for (let seed = 1; seed <= 6; seed++)
    await withProject(async (project) => {
      await randomHistory(project, { seed, steps: 60 })
      said.push(await faultsOf(project))
    })
  expect(said.filter(Boolean), 'healthy projects are silent').toEqual([])
})
