import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onEveryStore, type TestProject, type WithProject } from '../support/project.ts'
import { addTask, commit, repository, send } from '../support/subagent.ts'

const finding = ['The form checks addresses.']
const files = { 'src/form.ts': 'export const form = 1\n', 'test/form.test.ts': 'form\n' }

/** Makes a task that the run R1 spawned. Its agent has written its output file and committed its work. */
const withRunWork = (
  withProject: WithProject,
  work: (run: TestProject, agent: TestProject, project: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    commit(project.root, 'Check the sources', {
      Makefile:
        '.PHONY: test lint\ntest:\n\t@! grep -l wrong src/*.ts && echo "1 passed"\nlint:\n\t@echo "ok"\n',
    })
    await addTask(project)
    const run = project.as('R1')
    const { as: agent } = await send(run, 'T002')
    const { output } = await agent.must('focus.set', { id: 'T002' })
    const text = readFileSync(output!, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n')
    writeFileSync(output!, text)
    await work(run, agent, project)
  })

const gatesOf = async (project: TestProject): Promise<string[]> => {
  const rows = await (await project.store()).all<{ gate: string; state: string }>(
    'SELECT gate, state FROM evidence WHERE gate IS NOT NULL ORDER BY seq',
  )
  return rows.map(({ gate, state }) => `${gate} ${state}`)
}

onEveryStore((withProject) => {
  test('[RUN-1] in a run finish submits, and receive proves the tests and completes the task', () =>
    withRunWork(withProject, async (run, agent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const finished = await agent.call('tasks.finish', { id: 'T002', finding })
      expect(finished).toMatchObject({ ok: true, value: { status: 'active', submitted: true } })
      expect(await gatesOf(project), 'no command of the project ran').toEqual(['implemented passed'])
      expect((await project.must('tasks.show', { id: 'T002' })).status).toBe('active')
      const again = await agent.call('tasks.finish', { id: 'T002', finding })
      expect(again, 'it can be repeated').toMatchObject({ ok: true, value: { submitted: true } })

      const received = await run.call('orchestrate.receive', { id: 'T002' })
      expect(received).toMatchObject({ ok: true, value: { outcome: 'complete' } })
      expect(await gatesOf(project)).toEqual(['implemented passed', 'testsPassed passed', 'qaPassed passed'])
      expect((await project.must('tasks.show', { id: 'T002' })).status).toBe('done')
    }))

  test('[RUN-3] [GATE-1] receive refuses submitted work whose tests are red', () =>
    withRunWork(withProject, async (run, agent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', { ...files, 'src/form.ts': 'wrong\n' })
      await agent.must('tasks.finish', { id: 'T002', finding })
      const received = await run.call('orchestrate.receive', { id: 'T002' })
      expect(received).toMatchObject({ ok: false, exit: 45, fix: 'cleo respawn T002 --ref' })
      expect(await gatesOf(project)).toEqual(['implemented passed', 'testsPassed failed', 'qaPassed passed'])
      expect((await project.must('tasks.show', { id: 'T002' })).status).toBe('active')
    }))

  test('[RUN-1] finish in a run still refuses what the agent itself has to do', () =>
    withRunWork(withProject, async (_, agent, project) => {
      const refused = await agent.call('tasks.finish', { id: 'T002', finding })
      expect(refused).toMatchObject({ ok: false, exit: 40 })
      const problems = (refused as { problems: { path: string }[] }).problems.map(({ path }) => path)
      expect(problems.join(), 'no gate that the run proves').not.toContain('testsPassed')
      expect(problems.join()).toContain('implemented')
      expect(await gatesOf(project)).toEqual([])
    }))

  test('[RUN-1] the prompt of a run says which gates the run proves', () =>
    withRunWork(withProject, async (_, __, project) => {
      const prompt = readFileSync(`${project.root}/.cleo/spawns/T002.1.md`, 'utf8')
      expect(prompt).toContain('After you return, the run proves testsPassed, qaPassed.')
      expect(prompt).not.toContain('--gate testsPassed')
    }))
})
