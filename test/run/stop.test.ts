import { expect, test } from 'vitest'
import { recordRun } from '../../src/run/begin-run.ts'
import { onSqlite } from '../support/project.ts'
import { addTask } from '../support/subagent.ts'
import { usual, withContext } from './driven.ts'

onSqlite((withProject) => {
  test('[RUN-2] stops a run at once if no process drives it, and refuses one that has stopped', () =>
    withProject(async (project) => {
      expect(await project.call('run.stop', {})).toMatchObject({ code: 'run.not_found' })
      await addTask(project)
      await withContext(project, (context) => recordRun(context, 'T001', usual))
      await (await project.store()).run('UPDATE runs SET driver = NULL')
      expect(await project.must('run.stop', {})).toEqual({ id: 'R001', state: 'stopped', ended: 0 })
      expect(await project.call('run.stop', {})).toMatchObject({ code: 'run.idle', exit: 6 })
    }))
})
