import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { onEveryStore, type TestProject, type WithProject } from '../support/project.ts'
import { addTask, append, commit, git, put, repository, type Sent, send } from '../support/subagent.ts'

const files = { 'src/form.ts': 'export const form = 1\n', 'test/form.test.ts': 'form\n' }
const finding = ['The form checks addresses.']
const three = ['One.', 'Two.', 'Three.']

/** A spawned task whose subagent has set focus and written its output file. */
const withWork = (
  withProject: WithProject,
  task: object,
  work: (sent: Sent, project: TestProject, output: string) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, task)
    const sent = await send(project, 'T002')
    const { output } = await sent.as.must('focus.set', { id: 'T002' })
    writeUp(output!)
    await work(sent, project, output!)
  })

const writeUp = (output: string, text = 'It is done.'): void =>
  writeFileSync(
    output,
    readFileSync(output, 'utf8').replace('## Summary\n', `## Summary\n\n${text}\n`) +
      '\n- .cleo/config.json:1\n',
  )

const finish = ({ as }: Sent, more: object = {}) => as.call('tasks.finish', { id: 'T002', finding, ...more })

const runs = async (project: TestProject): Promise<string[]> => {
  const rows = await (await project.store()).all<{ gate: string }>(
    'SELECT gate FROM evidence WHERE gate IS NOT NULL ORDER BY seq',
  )
  return rows.map(({ gate }) => gate)
}
const entriesOf = async (project: TestProject) =>
  (await project.must('pipeline.manifest.list', { task: 'T002' })).entries

onEveryStore((withProject) => {
  test('[GATE-1] finish submits the entry, proves every gate and criterion, and completes the task', () =>
    withWork(withProject, { acceptance: ['a', 'b'] }, async (sent, project, output) => {
      commit(project.root, 'Build the form', files)
      const criterion = ['1=files:test/form.test.ts', '2=files:src/form.ts,test/form.test.ts']
      const finished = await finish(sent, { criterion, link: ['T001'], topic: ['forms'] })
      expect(finished).toMatchObject({
        ok: true,
        value: {
          status: 'done',
          outcome: 'complete',
          entry: 'T002-sign-up-form',
          return: 'Implementation complete. See MANIFEST.jsonl for summary.',
        },
      })
      const { gates, acceptance } = await project.must('tasks.show', { id: 'T002' })
      expect(Object.values(gates!).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed'])
      expect(acceptance!.map(({ state }) => state)).toEqual(['met', 'met'])
      expect(gates!['implemented']!.evidence[1]).toBe('files:src/form.ts,test/form.test.ts')
      expect(readFileSync(output, 'utf8')).toContain('**Status**: complete')
      const { links } = await project.must('research.links', { target: 'T002-sign-up-form' })
      expect(links.map(({ task }) => task)).toEqual(['T001', 'T002'])
    }))

  test('[GATE-1] finish lists every problem at once, keeps what passed, and can be repeated', () =>
    withWork(withProject, { acceptance: ['a', 'b'] }, async (sent, project) => {
      commit(project.root, 'Build the form', {
        ...files,
        Makefile: '.PHONY: test lint\ntest:\n\t@echo "1 failed"; exit 1\nlint:\n\t@echo "ok"\n',
      })
      await project.must('admin.trust', { all: true } as never).catch(() => undefined)
      const criterion = ['1=files:test/form.test.ts', '2=files:test/none.ts', '7=files:src/form.ts']
      const refused = await finish(sent, { criterion })
      expect(refused).toMatchObject({ ok: false })
      const problems = !refused.ok ? refused.problems!.map(({ path }) => path) : []
      expect(problems).toContain('criterion 2')
      expect(problems).toContain('criterion 7')
      expect(!refused.ok && refused.held).toContain('criterion 1')
      expect((await entriesOf(project)).length).toBe(1)
    }))

  test('[GATE-1] a repeated finish runs no tool again whose evidence is fresh and makes no second entry', () =>
    withWork(withProject, { acceptance: ['a'] }, async (sent, project) => {
      commit(project.root, 'Build the form', files)
      expect(await finish(sent)).toMatchObject({ ok: false, code: 'gate.unmet', exit: 45 })
      expect(await runs(project)).toEqual(['implemented', 'testsPassed', 'qaPassed'])
      expect(await finish(sent, { criterion: ['1=tool:test'] })).toMatchObject({ ok: true })
      expect(await runs(project)).toEqual(['implemented', 'testsPassed', 'qaPassed'])
      expect(await entriesOf(project)).toHaveLength(1)
      expect(await finish(sent)).toMatchObject({ ok: true, value: { noChange: true, status: 'done' } })
    }))
})
