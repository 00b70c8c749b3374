import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive } from './driven.ts'

onEveryStore((withProject) => {
  test('[RUN-5] while a run works, status and list name its agents and the process that drives it', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const seen: object[] = []
      const { report } = await drive(project, async (task) => {
        seen.push(await project.must('run.status', {}), await project.must('run.list', {}))
        seen.push(await project.call('run.start', { epic: 'T001', agent: 'command', command: '/bin/true' }))
        seen.push(await project.call('run.resume', {}))
        return builds(project)(task)
      })
      const pid = process.pid
      expect(seen[0]).toMatchObject({
        id: 'R001',
        state: 'running',
        pid,
        agents: [{ spawnId: 'T002.1', taskId: 'T002' }],
      })
      expect(seen[1]).toMatchObject({
        runs: [{ id: 'R001', epic: 'T001', state: 'running', agent: 'scripted' }],
      })
      expect(seen[2], 'a second run on the epic').toMatchObject({
        code: 'run.active',
        exit: 35,
        fix: 'cleo run status R001',
      })
      expect(seen[3]).toMatchObject({ code: 'run.driven', exit: 35 })
      expect(report.state).toBe('finished')
      expect(await project.must('run.status', {})).toMatchObject({
        state: 'finished',
        agents: [],
        waitingTasks: [],
      })
    }))
})
