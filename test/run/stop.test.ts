import { expect, test } from 'vitest'
import type { CallingContext } from '../../src/operation/context.ts'
import { driveToEnd, recordRun, takeRunOver } from '../../src/run/begin-run.ts'
import type { RunRow } from '../../src/run/sql.ts'
import * as runs from '../../src/run/sql.ts'
import { onSqlite } from '../support/project.ts'
import { addTask } from '../support/subagent.ts'
import { addTasks, inRepository, place } from '../support/worktrees.ts'
import { builds, usual, withContext } from './driven.ts'
import { memoryAgents } from './memory-agents.ts'

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

  test('[OPS-1] without a run to stop, it says how an agent that a person started gives its task back', () =>
    inRepository(withProject, async (project) => {
      const [id = ''] = await addTasks(project, 'Build one')
      const stopped = () => project.call('run.stop', {})
      expect(await stopped()).toMatchObject({ fix: 'cleo status', alternatives: ['No agent has a task.'] })
      const { id: spawn } = await place(project, id)
      const told = `No run started ${spawn}. End it in its client, then release the task: cleo focus clear ${id} --as ${spawn}`
      expect(await stopped()).toMatchObject({ code: 'run.not_found', alternatives: [told] })
      await withContext(project, (context) => recordRun(context, 'T001', usual))
      await (await project.store()).run("UPDATE runs SET driver = NULL, state = 'finished'")
      expect(await stopped()).toMatchObject({ code: 'run.idle', alternatives: [told] })
      await project.as(spawn).must('focus.clear', { id })
      expect(await stopped()).not.toHaveProperty('alternatives')
    }))

  test('[RUN-2] a request to stop counts from the moment the run is recorded or taken over', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const agents = memoryAgents(builds(project))
      const stopped = async (context: CallingContext, run: RunRow) => {
        await project.must('run.stop', {})
        const driven = await driveToEnd(context, run, usual, agents)
        expect(driven).toMatchObject({ ok: true, value: { state: 'stopped', merged: 0, left: 1 } })
      }
      await withContext(project, async (context) => {
        const recorded = await recordRun(context, 'T001', usual)
        if (recorded.ok) await stopped(context, recorded.value)
        const taken = await takeRunOver(context, (await runs.newest(context.store))!, usual)
        if (taken.ok) await stopped(context, taken.value)
        // The earlier requests to stop do not count for the new driver.
        const again = await takeRunOver(context, (await runs.newest(context.store))!, usual)
        const driven = again.ok && (await driveToEnd(context, again.value, usual, agents))
        expect(driven).toMatchObject({ ok: true, value: { state: 'finished', merged: 1 } })
        const late = { state: 'draining', why: 'too late', now: 0 } as const
        expect(await runs.askToStop(context.store, 1, late)).toBe(false)
      })
      expect(await project.must('run.status', {})).toMatchObject({ state: 'finished' })
      expect(await project.call('run.stop', {})).toMatchObject({ code: 'run.idle' })
    }))

  test('[RUN-2] stopping the agent of one task ends no other, and names a task that exists', () =>
    withProject(async (project) => {
      await addTask(project)
      await withContext(project, (context) => recordRun(context, 'T001', usual))
      expect(await project.call('run.stop', { task: 'T099' })).toMatchObject({ code: 'task.not_found' })
      await (await project.store()).run('UPDATE runs SET driver = NULL')
      expect(await project.must('run.stop', { task: 'T001' })).toMatchObject({ taskId: 'T001', ended: 0 })
      expect(await project.must('run.status', {})).toMatchObject({ state: 'running' })
    }))
})
