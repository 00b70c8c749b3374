import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'

// No program can check ORC-001, ORC-002 and ORC-008. test/content/skills.test.ts checks that the skill has them.

const tokens = await loadTokenizer()

const configure = ({ root }: TestProject, more: object): void => {
  const path = join(root, '.cleo/config.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...more }))
}

onEveryStore((withProject) => {
  test('[ORCH-4] ORC-003: what an orchestrator reads holds no description, prompt, finding or report', () =>
    withProject(async (project) => {
      const secret = 'a sentence that only the subagent needs'
      await addTask(project, { labels: ['research'], description: `Compare. ${secret}.` })
      await addTask(project, { description: `Build. ${secret}.`, depends: ['T002'] })
      const answers: Record<string, unknown> = {}
      const read = async (name: string, answer: Promise<unknown>) => {
        answers[name] = await answer
      }
      await read('start', project.must('orchestrate.start', { epic: 'T001' }))
      await read('prime', project.must('orchestrate.prime', { epic: 'T001' }))
      await read('analyze', project.must('orchestrate.analyze', { epic: 'T001' }))
      await read('ready', project.must('orchestrate.ready', { epic: 'T001' }))
      await read('next', project.must('orchestrate.next', { epic: 'T001' }))
      await read('dispatch', project.must('orchestrate.dispatch', { id: 'T002' }))
      await read('spawn', project.must('orchestrate.spawn', { id: 'T002', ref: true }))
      const promptFile = (answers['spawn'] as { promptFile: string }).promptFile
      expect(readFileSync(promptFile, 'utf8'), 'the subagent reads it').toContain(secret)
      await handIn({ id: 'T002.1', task: 'T002', as: project.as('T002.1') })
      await read('status', project.must('orchestrate.status', { epic: 'T001' }))
      await read('receive', project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') }))
      await read('validate', project.must('orchestrate.validate', { id: 'T002' }))
      const { key_findings } = JSON.parse(
        readFileSync(join(project.root, 'claudedocs/agent-outputs/MANIFEST.jsonl'), 'utf8').trim(),
      ) as { key_findings?: string[] }
      expect(key_findings?.length).toBeGreaterThan(0)
      for (const [name, answer] of Object.entries(answers)) {
        const text = JSON.stringify(answer)
        expect(text, name).not.toContain(secret)
        for (const finding of key_findings!) expect(text, name).not.toContain(finding)
        expect(tokens(text), name).toBeLessThan(name === 'prime' ? 1500 : 800)
      }
    }))

  test('[ORCH-4] ORC-004: a spawn is refused while a dependency is open, and names it', () =>
    withProject(async (project) => {
      await addTask(project)
      await addTask(project)
      await addTask(project, { depends: ['T002', 'T003'] })
      const spawn = () => project.call('orchestrate.spawn', { id: 'T004', ref: true })
      expect(await spawn()).toMatchObject({
        code: 'dependency.open',
        exit: 5,
        message: expect.stringMatching(/T002.*T003/),
      })
      await project.must('tasks.complete', { id: 'T002' })
      expect(await spawn()).toMatchObject({ code: 'dependency.open', exit: 5 })
      expect((await project.must('orchestrate.spawn.list', {})).spawns, 'nothing was recorded').toEqual([])
      await project.must('tasks.cancel', { id: 'T003', reason: 'not needed' })
      expect(await spawn()).toMatchObject({ ok: true })
    }))

  test('[ORCH-4] ORC-004: tasks of one wave may be out at the same time', () =>
    withProject(async (project) => {
      await addTask(project, { files: ['src/a.ts'] })
      await addTask(project, { files: ['src/b.ts'] })
      await send(project, 'T002')
      await send(project, 'T003')
      expect(await project.must('orchestrate.status', {})).toMatchObject({
        out: [{ spawnId: 'T002.1' }, { spawnId: 'T003.1' }],
      })
    }))

  test('[ORCH-4] ORC-006: a spawn covers at most three declared files, or as many as the configuration says', () =>
    withProject(async (project) => {
      const files = ['src/a.ts', 'src/b.ts', 'src/c.ts']
      await addTask(project, { files })
      await addTask(project, { files: [...files, 'src/d.ts'] })
      expect(await project.call('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({ ok: true })
      expect(await project.call('orchestrate.spawn', { id: 'T003', ref: true })).toMatchObject({
        code: 'spawn.files',
        exit: 63,
        message: expect.stringContaining('ORC-006'),
      })
      configure(project, { spawn: { maxFiles: 4 } })
      const changed = project.afresh()
      expect(await changed.call('orchestrate.spawn', { id: 'T003', ref: true })).toMatchObject({ ok: true })
    }))

  test('[ORCH-4] ORC-007: a task outside every epic is not spawned', () =>
    withProject(async (project) => {
      await addTask(project)
      await project.must('tasks.add', { title: 'Loose end', description: 'Do it.' })
      await project.must('tasks.add', { title: 'Its part', parent: 'T003', description: 'Do it.' })
      for (const id of ['T003', 'T004'])
        expect(await project.call('orchestrate.spawn', { id, ref: true })).toMatchObject({
          ok: false,
          exit: 63,
        })
      expect(await project.call('orchestrate.spawn', { id: 'T004', ref: true })).toMatchObject({
        code: 'spawn.untraced',
        message: expect.stringContaining('ORC-007'),
      })
      await project.must('tasks.update', { id: 'T003', parent: 'T001' })
      expect(await project.call('orchestrate.spawn', { id: 'T004', ref: true })).toMatchObject({ ok: true })
    }))

  test('[ORCH-4] the checklist reports every failure at once, and the first decides the exit', () =>
    withProject(async (project) => {
      await addTask(project)
      await project.must('tasks.add', {
        title: 'Everything is wrong',
        depends: ['T002'],
        files: ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
      })
      const refused = await project.call('orchestrate.spawn', { id: 'T003', ref: true })
      expect(refused).toMatchObject({ ok: false, exit: 5 })
      const text = JSON.stringify(refused)
      for (const part of ['T002', 'description', 'ORC-007', 'ORC-006']) expect(text).toContain(part)
    }))
})
