import { expect } from 'vitest'
import { faultsOf, filesOf, rowsOf } from '../support/doctor.ts'
import type { WithProject } from '../support/project.ts'
import { randomHistory } from '../support/random-history.ts'

/**
 * Checks that doctor finds nothing and changes nothing in projects with a random history. Returns how often each action
 * was done.
 */
export const examineHealthy = async (
  withProject: WithProject,
  { count, steps }: { count: number; steps: number },
): Promise<Record<string, number>> => {
  const did: Record<string, number> = {}
  for (let seed = 1; seed <= count; seed++)
    await withProject(async (project) => {
      const done = await randomHistory(project, { seed, steps })
      for (const [action, times] of Object.entries(done)) did[action] = (did[action] ?? 0) + times
      const before = { rows: await rowsOf(project), files: filesOf(project.root) }
      expect(await faultsOf(project), `seed ${seed}`).toBeUndefined()
      expect(await faultsOf(project, true), `seed ${seed}`).toBeUndefined()
      expect({ rows: await rowsOf(project), files: filesOf(project.root) }).toEqual(before)
    })
  console.log(`healthy: ${count} projects, ${JSON.stringify(did)}`)
  return did
}
