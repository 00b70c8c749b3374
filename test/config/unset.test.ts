import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

const fileOf = ({ root }: TestProject) => join(root, '.cleo', 'config.json')
const given = (project: TestProject, config: object) => writeFileSync(fileOf(project), JSON.stringify(config))

test('[PROJ-8] unset removes a setting or a group, and groups that become empty', () =>
  withProject(async (project) => {
    given(project, {
      commands: { test: 'a', lint: 'b' },
      gates: { required: { research: [] } },
      stages: false,
    })
    expect(await project.must('admin.config.unset', { key: 'gates.required.research' })).toEqual({
      ...{ key: 'gates.required.research', before: [], file: fileOf(project) },
    })
    await project.must('admin.config.unset', { key: 'commands' })
    expect(JSON.parse(readFileSync(fileOf(project), 'utf8'))).toEqual({ stages: false })
    await project.must('admin.config.unset', { key: 'stages' })
    expect(readFileSync(fileOf(project), 'utf8'), 'what init wrote').toBe('{}\n')
  }))

test('[PROJ-8] what is not set is no change', () =>
  withProject(async (project) => {
    writeFileSync(fileOf(project), '{ "stages": true }')
    expect(await project.must('admin.config.unset', { key: 'claims' })).toMatchObject({ noChange: true })
    expect((await project.must('admin.log', {})).entries).toEqual([])
    expect(readFileSync(fileOf(project), 'utf8')).toBe('{ "stages": true }')
  }))

test('[PROJ-8] a dry run removes nothing', () =>
  withProject(async (project) => {
    given(project, { stages: false })
    const answer = await project.call('admin.config.unset', { key: 'stages' }, { dryRun: true })
    expect(answer).toMatchObject({ ok: true, value: { before: false } })
    expect(readFileSync(fileOf(project), 'utf8')).toBe('{"stages":false}')
  }))

test('[PROJ-8] trust goes with the setting: the same command is not trusted when it comes back', () =>
  withProject(async (project) => {
    const trusted = async () =>
      (await project.afresh().must('admin.trust.status', {})).items.map(
        ({ name, state }) => `${name} ${state}`,
      )
    await project.must('admin.config.set', { key: 'commands', value: '{"test": "a", "lint": "b"}' })
    expect(await trusted()).toEqual(['test trusted', 'lint trusted'])
    await project.must('admin.config.unset', { key: 'commands.test' })
    given(project, { commands: { test: 'a', lint: 'b' } })
    expect(await trusted()).toEqual(['test new', 'lint trusted'])
  }))

test('[PROJ-8] unset repairs a setting that keeps the store from opening', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'First' })
    await project.must('admin.config.set', { key: 'database', value: 'postgres://ada@127.0.0.1/none' })
    const broken = project.afresh()
    expect(await broken.call('tasks.list', {})).toMatchObject({ ok: false, code: 'project.unnamed' })
    expect(await broken.call('admin.config.unset', { key: 'database' })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('not in the audit log')],
    })
    expect(await project.afresh().call('tasks.list', {})).toMatchObject({ ok: true })
  }))

onEveryStore((withStore) => {
  test('[PROJ-7] [PROJ-8] the audit log keeps what was removed', () =>
    withStore(async (project) => {
      await project.must('admin.config.set', { key: 'claims.lease', value: '5' })
      await project.must('admin.config.unset', { key: 'claims.lease' })
      const { entries } = await project.must('admin.log', { operation: 'admin.config.unset' })
      expect(entries).toMatchObject([{ before: { 'claims.lease': 5 }, after: { 'claims.lease': null } }])
    }))
})
