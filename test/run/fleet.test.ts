import { expect, test } from 'vitest'
import type { Ending } from '../../src/agent-processes/agent.ts'
import { onSqlite } from '../support/project.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive, resumeRun } from './driven.ts'

/**
 * Endings that any other agent would have too, because the cause is not the agent. The report names them, and they
 * use up no attempt.
 */
const ends: readonly [Ending, string, string][] = [
  ['quota', 'quota (429, until five)', 'the quota of the agent is used up'],
  ['not logged in', 'not logged in (429, until five)', 'the agent is not logged in'],
  ['not found', 'agent not found (429, until five)', 'the program of the agent was not found'],
]

onSqlite((withProject) => {
  test.each(ends)(
    '[RUN-3] an agent that ends with "%s" stops the run, which names it',
    (ending, remark, why) =>
      inRepository(withProject, async (project) => {
        await addTasks(project, 'Build one', 'Build two', 'Build three')
        const { report, agents } = await drive(project, async () => ({ ending, reason: '429, until five' }), {
          options: { parallel: 1 },
        })
        expect(report).toMatchObject({ state: 'stopped', why, merged: 0, retries: 0, failures: [] })
        expect(report.tasks[0]).toMatchObject({ state: 'left', remarks: [remark], failures: [] })
        expect(agents.started, 'no further agent is started').toEqual(['T002.1'])
        const again = await resumeRun(project, builds(project))
        expect(again.report).toMatchObject({ state: 'finished', merged: 3, retries: 0 })
      }),
  )

  test('[RUN-2] [RUN-4] a machine that sleeps for a day while agents work loses no work and no attempt', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      const honest = builds(project)
      let sleptMs = 0
      const { report, agents } = await drive(
        project,
        async (task) => {
          if (task.task === 'T002') {
            sleptMs = 86_400_000
            await project.pass(sleptMs)
          }
          return honest(task)
        },
        { now: () => Date.now() + sleptMs },
      )
      expect(report).toMatchObject({ state: 'finished', merged: 2, retries: 0, waiting: 0 })
      expect(agents.started.toSorted()).toEqual(['T002.1', 'T003.1'])
    }))
})
