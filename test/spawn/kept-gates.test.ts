import { expect, test } from 'vitest'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

/** Makes an implementation task whose first attempt was started and has returned. */
const started = async (project: TestProject): Promise<void> => {
  await addTask(project)
  const first = await send(project, 'T002')
  await first.as.must('focus.set', { id: 'T002' })
  await project.call('orchestrate.receive', { id: 'T002', message: 'Done!' })
}

const gatesOf = async (project: TestProject): Promise<string[]> => {
  const { gates } = await project.must('verify.view', { id: 'T002' })
  return gates.flatMap(({ gate, required }) => (required ? [gate] : []))
}

const implementation = ['implemented', 'testsPassed', 'qaPassed']

onSqlite((withProject) => {
  test.each([
    ['inside an agent client', { CLAUDECODE: '1' }],
    ['with CLEO_AGENT_ID set', { CLEO_AGENT_ID: 'lead' }],
  ])('[GATE-2] a respawn with an easier protocol %s keeps the gates and asks a person', (_, env) =>
    withProject(async (project) => {
      await started(project)
      const agent = project.afresh(env)
      const caller = { actor: { id: 'ada', agent: 'CLEO_AGENT_ID' in env } }
      const answer = await agent.call(
        'orchestrate.respawn',
        { id: 'T002', protocol: 'research', ref: true },
        caller,
      )
      expect(answer).toMatchObject({
        ok: true,
        value: {
          spawnId: 'T002.2',
          warnings: [
            'these gates are still required, as for T002.1: implemented, testsPassed, qaPassed; a person can change that: Q1 in cleo inbox',
          ],
        },
      })
      expect(await gatesOf(project)).toEqual([...implementation, 'documented'])
      expect((await project.must('inbox.list', {})).items).toMatchObject([
        { id: 'Q1', taskId: 'T002', what: 'cleo respawn T002 --protocol research' },
      ])
      const yes = await project.must('inbox.answer', { id: 'Q1', yes: true })
      expect(yes).toMatchObject({ then: 'cleo respawn T002 --protocol research' })
      await project.must('orchestrate.respawn', { id: 'T002', protocol: 'research', ref: true })
      expect(await gatesOf(project), 'as the person decided').toEqual(['documented'])
    }),
  )

  test('[GATE-2] spawn is no way around it, nor is a label that changes the protocol', () =>
    withProject(async (project) => {
      await started(project)
      const agent = project.afresh({ GEMINI_CLI: '1' })
      await project.pass(20 * 60_000)
      await project.must('tasks.update', { id: 'T002', labels: ['research'], title: 'Research the form' })
      expect(await agent.must('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({
        warnings: expect.arrayContaining([
          expect.stringContaining('these gates are still required, as for T002.1'),
        ]),
      })
      expect(await gatesOf(project)).toEqual([...implementation, 'documented'])
    }))

  test('[GATE-2] a person changes the gates by naming the protocol, and an agent keeps to it', () =>
    withProject(async (project) => {
      await started(project)
      await project.must('orchestrate.respawn', { id: 'T002', protocol: 'research', ref: true })
      expect(await gatesOf(project)).toEqual(['documented'])
      const agent = project.afresh({ CLAUDECODE: '1' })
      await agent.must('orchestrate.respawn', { id: 'T002', tier: 0, ref: true })
      expect(await gatesOf(project), 'the decision stays').toEqual(['documented'])
    }))

  test('[GATE-2] a respawn of a person without --protocol does not take over what an agent asked for', () =>
    withProject(async (project) => {
      await started(project)
      await project
        .afresh({ CLAUDECODE: '1' })
        .must('orchestrate.respawn', { id: 'T002', protocol: 'research', ref: true })
      const answer = await project.must('orchestrate.respawn', { id: 'T002', tier: 0, ref: true })
      expect(answer).toMatchObject({
        warnings: expect.arrayContaining([
          expect.stringContaining('to change that: cleo respawn T002 --protocol research'),
        ]),
      })
      expect(await gatesOf(project)).toEqual([...implementation, 'documented'])
    }))

  test('[GATE-2] an attempt that was never started binds nothing', () =>
    withProject(async (project) => {
      await addTask(project)
      const agent = project.afresh({ CLAUDECODE: '1' })
      await send(agent, 'T002')
      await agent.must('orchestrate.respawn', { id: 'T002', protocol: 'research', ref: true })
      expect(await gatesOf(project)).toEqual(['documented'])
      expect((await project.must('inbox.list', {})).items).toEqual([])
    }))
})
