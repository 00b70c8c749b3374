import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, send } from '../support/subagent.ts'

const tests = (project: TestProject) => gate(project, 'testsPassed', 'tool:test')

const scripts = (of: Record<string, string>) => ({ 'package.json': JSON.stringify({ scripts: of }) })

const begin = ({ root }: TestProject, of: Record<string, string>, files: Record<string, string> = {}) => {
  git(root, 'init', '-q', '-b', 'main')
  commit(root, 'Begin', { ...scripts(of), '.gitignore': '.home/\n', ...files })
}

const configFile = ({ root }: TestProject, config: object) =>
  writeFileSync(join(root, '.cleo', 'config.json'), JSON.stringify(config))

test('[GATE-5] a test script that was pinned and is gone never makes the gate not applicable', () =>
  withProject(async (project) => {
    begin(project, { lint: 'node --version' })
    await project.must('admin.trust', { yes: true })
    commit(project.root, 'A person adds tests', scripts({ lint: 'node --version', test: 'false' }))
    await addTask(project)
    const { as } = await send(project, 'T002')
    commit(project.root, 'Remove them', scripts({ lint: 'node --version' }))
    expect(await tests(as)).toMatchObject(refused('the command for test was removed; it was npm test'))
    const { as: next } = await send(project, await addTask(project, { title: 'Another' }))
    expect(
      await next.call('verify.gate', { id: 'T003', gate: 'testsPassed', evidence: 'tool:test' }),
      'nor for the next task',
    ).toMatchObject(refused('the command for test was removed'))
    await project.must('admin.trust', { yes: true })
    expect(await tests(as), 'a person accepted it').toMatchObject({ value: { state: 'na' } })
  }))

test('[PROJ-8] a trusted command that was removed from the configuration is not replaced by a detected one', () =>
  withProject(async (made) => {
    begin(made, { test: 'node --version' }, { 'full.js': 'process.exit(1)\n' })
    await made.must('admin.trust', { yes: true })
    await made.must('admin.config.set', { key: 'commands.test', value: 'node full.js' })
    const project = made.afresh()
    await addTask(project)
    const { id } = await send(project, 'T002')
    configFile(project, {})
    const later = project.afresh()
    const gone =
      'the command for test was removed from .cleo/config.json; a person had set it to node full.js'
    expect(await tests(later.as(id))).toMatchObject(refused(gone))
    expect((await later.must('admin.trust.status', {})).items).toContainEqual({
      kind: 'command',
      name: 'test',
      what: 'node full.js',
      state: 'removed',
    })
    const next = await later.call('orchestrate.spawn', {
      id: await addTask(later, { title: 'Next' }),
      ref: true,
    })
    expect(JSON.stringify(next)).toContain(gone)
    await later.must('admin.config.unset', { key: 'commands.test' })
    expect((await later.must('admin.trust.status', {})).items).not.toContainEqual(
      expect.objectContaining({ state: 'removed' }),
    )
    expect(await tests(project.afresh().as(id)), 'a person removed it').toMatchObject({ ok: true })
  }))

test('[PROJ-8] a trusted setting of gates keeps its value when someone edits or removes it', () =>
  withProject(async (made) => {
    begin(made, { test: 'node --version' })
    await made.must('admin.config.set', { key: 'gates.always', value: 'true' })
    for (const config of [{}, { gates: { always: false } }]) {
      configFile(made, config)
      const project = made.afresh()
      const id = await addTask(project, { acceptance: ['it works'] })
      expect(await project.call('tasks.complete', { id })).toMatchObject({
        ok: false,
        warnings: expect.arrayContaining([expect.stringMatching(/gates\.always \((removed|changed)\)/)]),
      })
    }
    configFile(made, {})
    await made.must('admin.trust', { yes: true })
    const project = made.afresh()
    expect(await project.call('tasks.complete', { id: 'T002' })).toMatchObject({ ok: true })
  }))

test('[GATE-5] a version of a command that was trusted earlier does not replace the pinned one', () =>
  withProject(async (project) => {
    begin(project, { test: 'node --version' })
    await project.must('admin.trust', { yes: true })
    await addTask(project)
    const first = await send(project, 'T002')
    commit(project.root, 'Test more', scripts({ test: 'node --check full.js' }))
    put(project.root, { 'full.js': '' })
    commit(project.root, 'And more')
    expect(await tests(first.as)).toMatchObject(refused('was changed'))
    await project.must('inbox.answer', { id: 'Q1', yes: true })
    expect(await tests(first.as)).toMatchObject({ value: { state: 'passed' } })
    const { as } = await send(project, await addTask(project, { title: 'Another' }))
    commit(project.root, 'Test less', scripts({ test: 'node --version' }))
    expect(
      await as.call('verify.gate', { id: 'T003', gate: 'testsPassed', evidence: 'tool:test' }),
    ).toMatchObject(refused('it was "npm test → test: node --check full.js"'))
  }))

test('[GATE-5] a quality command that was added after the spawn does not stand in for a pinned one', () =>
  withProject(async (project) => {
    begin(project, { lint: 'false' })
    await addTask(project)
    const { as } = await send(project, 'T002')
    commit(project.root, 'Build', scripts({ lint: 'false', build: 'true' }))
    const built = gate(as, 'qaPassed', 'tool:build')
    expect(await built).toMatchObject(
      refused('was added after the task was spawned, although the project had tool:lint for the same gate'),
    )
    const next = await send(project, await addTask(project, { title: 'Another' }))
    expect(
      await next.as.call('verify.gate', { id: 'T003', gate: 'qaPassed', evidence: 'tool:build' }),
      'nor in the next task',
    ).toMatchObject(refused('was added after the task was spawned'))
    await project.must('admin.trust', { yes: true })
    expect(await gate(as, 'qaPassed', 'tool:build')).toMatchObject({ value: { state: 'passed' } })
    expect(await gateOf(as, 'qaPassed')).toMatchObject({ state: 'passed' })
  }))
