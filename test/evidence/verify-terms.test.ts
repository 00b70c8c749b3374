import { describe, expect, test } from 'vitest'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, handIn, put, repository, send } from '../support/subagent.ts'

/** Whoever is called next finds it so. */
const configure = (project: TestProject, gates: object): TestProject => {
  put(project.root, { '.cleo/config.json': JSON.stringify({ gates }) })
  return project.afresh()
}
const required = async (project: TestProject) =>
  (await project.must('verify.view', { id: 'T002' })).gates.flatMap(({ gate, required }) =>
    required ? [gate] : [],
  )
const shown = async (project: TestProject) =>
  Object.keys((await project.must('tasks.show', { id: 'T002' })).gates ?? {})

describe('what a task was handed out under', () => {
  test('[GATE-2] gates that are taken out of the configuration or away by a stage are still asked for', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const sent = await send(project, 'T002')
      await handIn(sent)
      const asked = ['implemented', 'testsPassed', 'qaPassed']
      const as = configure(project, { required: { implementation: [], validation: [] } }).as(sent.id)
      await project.must('tasks.update', { id: 'T002', stage: 'validation' })
      expect(await required(as)).toEqual(asked)
      expect(await shown(as)).toEqual(asked)
      expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({ ok: false, exit: 40 })
      await project.must('orchestrate.spawn.show', { id: sent.id })
    }))

  test('[GATE-2] what the configuration has come to ask for since counts, too', () =>
    withProject(async (project) => {
      repository(project.root)
      const before = configure(project, { required: { implementation: ['testsPassed'] } })
      await addTask(before)
      await send(before, 'T002')
      expect(await required(before)).toEqual(['testsPassed'])
      const more = configure(project, { required: { implementation: ['testsPassed', 'cleanupDone'] } })
      expect(await required(more)).toEqual(['testsPassed', 'cleanupDone'])
      expect(await shown(more)).toEqual(['testsPassed', 'cleanupDone'])
    }))

  test('[GATE-3] reports do not come to count by an edit, and stop counting by one', () =>
    withProject(async (project) => {
      repository(project.root)
      put(project.root, { 'r.xml': '<testsuite tests="1"><testcase name="a"/></testsuite>' })
      await addTask(project)
      await send(project, 'T002')
      const report = (by: TestProject) =>
        by.call('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'test-run:r.xml' })
      const trusting = configure(project, { reports: true })
      const forged = { exit: 41, message: expect.stringContaining('anybody can write a report') }
      expect(await report(trusting.as('T002.1'))).toMatchObject(forged)
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as } = await send(trusting, 'T002')
      expect(await report(as)).toMatchObject({ ok: true })
      expect(await report(configure(project, { reports: false }).as('T002.2'))).toMatchObject(forged)
    }))
})
