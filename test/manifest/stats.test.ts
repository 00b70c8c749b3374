import { expect, test } from 'vitest'
import { appendFive, echo, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-5] entries are counted by status and agent type', () =>
    withSpawnedTask(withProject, async (project) => {
      const empty = {
        entries: 0,
        tasks: 0,
        status: {},
        agentTypes: {},
        findings: 0,
        followUps: 0,
        quarantined: 0,
      }
      expect(await project.must('pipeline.manifest.stats', {})).toEqual(empty)
      await appendFive(project)
      echo(project, 'not an entry\n')
      await project.must('pipeline.manifest.sync', {})
      expect(await project.must('pipeline.manifest.stats', {})).toEqual({
        entries: 5,
        tasks: 1,
        status: { complete: 3, partial: 2 },
        agentTypes: { analysis: 2, implementation: 3 },
        findings: 0,
        followUps: 5,
        quarantined: 1,
      })
    }))
})
