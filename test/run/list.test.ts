import { expect, test } from 'vitest'
import { recordRun } from '../../src/run/begin-run.ts'
import { onEveryStore } from '../support/project.ts'
import { addTask } from '../support/subagent.ts'
import { usual, withContext } from './driven.ts'

onEveryStore((withProject, store) => {
  test('[RUN-2] lists runs, newest first, and calls a run without a process interrupted', () =>
    withProject(async (project) => {
      expect(await project.must('run.list', {})).toEqual({ runs: [] })
      // Skip PostgreSQL, because the context of this test opens the database file of the project.
      if (store === 'postgres') return
      await addTask(project)
      await withContext(project, (context) => recordRun(context, 'T001', usual))
      await (await project.store()).run('UPDATE runs SET driver = NULL')
      expect(await project.must('run.list', {})).toMatchObject({
        runs: [{ id: 'R001', state: 'interrupted' }],
      })
    }))
})
