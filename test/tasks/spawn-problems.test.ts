import { expect, test } from 'vitest'
import { shellWords } from '../../src/kernel/shell-words.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'

const four = ['a.ts', 'b.ts', 'c.ts', 'd.ts']

/**
 * New tasks. `lacks` is what every command says that the task lacks. `code` is the code with which a spawn is
 * refused.
 */
const cases: { title: string; task: object; lacks: string[]; code?: string; fix?: string }[] = [
  { title: 'described', task: { parent: 'T001', description: 'Do it.' }, lacks: [] },
  { title: 'one criterion', task: { parent: 'T001', acceptance: ['rejects a bad e-mail'] }, lacks: [] },
  { title: 'a check box', task: { parent: 'T001', description: '- [ ] works' }, lacks: [] },
  {
    title: 'bare',
    task: { parent: 'T001' },
    lacks: ['no description or criterion'],
    code: 'spawn.undescribed',
    fix: '; fix: cleo update T002 --description "…"',
  },
  {
    title: 'alone',
    task: { description: 'Do it.' },
    lacks: ['in no epic'],
    code: 'spawn.untraced',
    fix: '; fix: cleo update T002 --parent <epic>',
  },
  {
    title: 'wide',
    task: { parent: 'T001', description: 'Do it.', files: four },
    lacks: ['4 files; a spawn allows at most 3'],
    code: 'spawn.files',
  },
  {
    title: 'all of them',
    task: { files: four },
    lacks: ['no description or criterion', 'in no epic', '4 files; a spawn allows at most 3'],
    code: 'spawn.undescribed',
    fix: '; fix: cleo update T002 --description "…" --parent <epic>',
  },
]

const next = async (project: TestProject) => project.must('orchestrate.next', {})

onEveryStore((withProject) => {
  test.each(cases)(
    '[SPAWN-2] add, update, ready, next and spawn agree: $title',
    ({ title, task, lacks, code, fix = '' }) =>
      withProject(async (project) => {
        await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
        const warning = lacks.length > 0 ? [`a spawn would refuse T002: ${lacks.join(', ')}${fix}`] : []
        expect(await project.call('tasks.add', { title, ...task })).toMatchObject({ warnings: warning })
        expect(await project.call('tasks.update', { id: 'T002', priority: 'high' })).toMatchObject({
          warnings: warning,
        })
        const { tasks } = await project.must('orchestrate.ready', {})
        expect(tasks[0]!.lacks).toBe(lacks.length > 0 ? lacks.join('; ') : undefined)
        const said = await next(project)
        expect(said.why).toBe(['ready', ...lacks].join('; '))
        expect(said.then === 'cleo spawn T002 --ref').toBe(lacks.length === 0)
        const spawned = await project.call('orchestrate.spawn', { id: 'T002', ref: true })
        expect(spawned.ok ? undefined : spawned.code).toBe(code)
      }),
  )

  test('[SPAWN-2] a task without any epic is refused as not ready, with the whole way to an epic', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      const refused = await project.call('orchestrate.spawn', { id: 'T001', ref: true })
      expect(refused).toMatchObject({
        message: 'T001 cannot be spawned yet.',
        problems: [
          { path: 'task', fix: 'cleo update T001 --description "…"' },
          { path: 'task', fix: 'cleo add "…" --type epic && cleo update T001 --parent "<its id>"' },
        ],
      })
    }))

  test('[SPAWN-2] following what next says leads to a spawn', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Form', priority: 'high' })
      const updates = []
      for (
        let said = await next(project);
        said.then !== 'cleo spawn T002 --ref';
        said = await next(project)
      ) {
        const split = shellWords(said.then!)
        const [, verb, id, flag, value] = split.ok ? split.words : []
        expect([verb, id]).toEqual(['update', 'T002'])
        updates.push(flag)
        await project.must('tasks.update', { id: 'T002', [flag!.slice(2)]: value })
      }
      expect(updates).toEqual(['--description', '--parent'])
      expect(await project.call('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({ ok: true })
    }))

  test('[SPAWN-2] epics and tasks with children are split, so nothing is said about them', () =>
    withProject(async (project) => {
      const batch = [
        { key: 'e', title: 'Accounts', type: 'epic' as const },
        { key: 't', title: 'Forms', parent: 'e' },
        { title: 'Sign-up', parent: 't', description: 'Build it.' },
        { title: 'Sign-in', parent: 't' },
        { title: 'Sign-out', parent: 't' },
      ]
      expect(await project.call('tasks.add', { batch })).toMatchObject({
        warnings: [
          'a spawn would refuse T004, T005: no description or criterion; fix: cleo update T004 --description "…"',
        ],
      })
      expect(await project.call('tasks.update', { id: 'T001', priority: 'high' })).toMatchObject({
        warnings: [],
      })
    }))

  test('[SPAWN-3] a spawn makes the folders that its prompt names', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Form', parent: 'T001', description: 'Build it.' })
      const { existsSync } = await import('node:fs')
      const folders = ['.cleo/rcasd/T001', '.cleo/test-runs'].map((path) => `${project.root}/${path}`)
      expect(folders.map((path) => existsSync(path))).toEqual([false, false])
      await project.must('orchestrate.spawn', { id: 'T002', ref: true })
      expect(folders.map((path) => existsSync(path))).toEqual([true, true])
    }))
})
