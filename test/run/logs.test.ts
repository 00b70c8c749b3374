import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onSqlite } from '../support/project.ts'
import { put } from '../support/subagent.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive } from './driven.ts'

onSqlite((withProject) => {
  test('[RUN-5] prints the end of what the agent of a task printed', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      expect(await project.call('run.logs', { id: 'T002' })).toMatchObject({ code: 'spawn.none' })
      await drive(project, builds(project))
      put(project.root, { '.cleo/runs/R001/T002.1.log': 'one\ntwo\nthree\n' })
      expect(await project.must('run.logs', { id: 'T002', lines: 2 })).toMatchObject({
        ...{ spawnId: 'T002.1', text: 'two\nthree\n' },
      })
      const log = `${project.root}/.cleo/runs/R001/T002.1.log`
      put(project.root, { 'elsewhere.txt': 'secret\n' })
      for (const replace of [
        () => symlinkSync(`${project.root}/elsewhere.txt`, log),
        () => linkSync(`${project.root}/elsewhere.txt`, log),
        () => mkdirSync(log),
      ]) {
        rmSync(log, { recursive: true })
        replace()
        expect(await project.call('run.logs', { id: 'T002' })).toMatchObject({ code: 'file.unreadable' })
      }
    }))
})
