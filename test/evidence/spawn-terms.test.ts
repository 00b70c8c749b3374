import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/kernel/config.ts'
import { configure } from '../support/configure.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, handIn, put, repository, send } from '../support/subagent.ts'

const withGates = (project: TestProject, gates: Config['gates']): Promise<TestProject> =>
  configure(project, { gates })
const required = async (project: TestProject) =>
  (await project.must('verify.view', { id: 'T002' })).gates.flatMap(({ gate, required }) =>
    required ? [gate] : [],
  )
const shown = async (project: TestProject) =>
  Object.keys((await project.must('tasks.show', { id: 'T002' })).gates ?? {})

describe('the terms a task was spawned under', () => {
  test('[GATE-2] gates that the configuration or a stage removes after the spawn are still required', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const sent = await send(project, 'T002')
      await handIn(sent)
      const gates = ['implemented', 'testsPassed', 'qaPassed']
      const as = (await withGates(project, { required: { implementation: [], validation: [] } })).as(sent.id)
      await project.must('tasks.update', { id: 'T002', stage: 'validation' })
      expect(await required(as)).toEqual(gates)
      expect(await shown(as)).toEqual(gates)
      expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({ ok: false, exit: 40 })
      await project.must('orchestrate.spawn.show', { id: sent.id })
    }))

  test('[GATE-2] gates that the configuration adds after the spawn are required too', () =>
    withProject(async (project) => {
      repository(project.root)
      const before = await withGates(project, { required: { implementation: ['testsPassed'] } })
      await addTask(before)
      await send(before, 'T002')
      expect(await required(before)).toEqual(['testsPassed'])
      const more = await withGates(project, { required: { implementation: ['testsPassed', 'cleanupDone'] } })
      expect(await required(more)).toEqual(['testsPassed', 'cleanupDone'])
      expect(await shown(more)).toEqual(['testsPassed', 'cleanupDone'])
    }))

  test('[GATE-3] an edit of gates.reports cannot make reports count for a spawned task, only stop it', () =>
    withProject(async (project) => {
      repository(project.root)
      put(project.root, { 'r.xml': '<testsuite tests="1"><testcase name="a"/></testsuite>' })
      await addTask(project)
      await send(project, 'T002')
      const report = (by: TestProject) =>
        by.call('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'test-run:r.xml' })
      const trusting = await withGates(project, { reports: true })
      const refused = { exit: 41, message: expect.stringContaining('an agent could write a report itself') }
      expect(await report(trusting.as('T002.1'))).toMatchObject(refused)
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as } = await send(trusting, 'T002')
      expect(await report(as)).toMatchObject({ ok: true })
      expect(await report((await withGates(project, { reports: false })).as('T002.2'))).toMatchObject(refused)
    }))
})
