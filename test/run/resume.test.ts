import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { barrier, builds, drive, resumeRun } from './driven.ts'

onEveryStore((withProject) => {
  test('[RUN-2] goes on after a stop that ended the agents, with the same spawns; a finished run is over', () =>
    inRepository(withProject, async (project) => {
      expect(await project.call('run.resume', {})).toMatchObject({ code: 'run.not_found' })
      await addTasks(project, 'Build one', 'Build two')
      const bothStarted = barrier(2)
      const { report } = await drive(project, async ({ task }, { stopped }) => {
        await bothStarted()
        // Only one agent asks the run to stop, because a second request could come after the end of the run.
        if (task === 'T002') await project.must('run.stop', { now: true })
        return { ending: 'ended by us', reason: await stopped }
      })
      expect(report).toMatchObject({ state: 'stopped', merged: 0, left: 2, why: 'stopped by ada' })
      const again = await resumeRun(project, builds(project))
      expect(again.report).toMatchObject({ state: 'finished', merged: 2 })
      expect(again.agents.started.toSorted()).toEqual(['T002.1', 'T003.1'])
      expect(await project.call('run.resume', {})).toMatchObject({ code: 'run.over', exit: 6 })
    }))
})
