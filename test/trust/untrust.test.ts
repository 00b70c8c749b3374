import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { put, skillText } from '../skills/skill-files.ts'
import { type TestProject, withProject } from '../support/project.ts'

test('[TOK-9] untrust withdraws every record of the project', () =>
  withProject(async ({ root, must, call }) => {
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    await must('admin.trust', { yes: true })
    const state = async () => (await must('admin.trust.status', {})).items.map(({ state }) => state)
    expect(await state()).toEqual(['trusted'])
    expect(await call('admin.untrust', {}, { dryRun: true })).toMatchObject({ ok: true })
    expect(await state(), 'a dry run changes nothing').toEqual(['trusted'])
    expect(await must('admin.untrust', {})).toMatchObject({ items: [{ kind: 'skill', state: 'new' }] })
    expect(await state()).toEqual(['new'])
    expect(await must('admin.untrust', {}), 'a second time changes nothing').toMatchObject({
      items: [{ state: 'new' }],
    })
  }))

test('[TOK-9] an agent cannot withdraw trust', () =>
  withProject(async ({ root, must, as }) => {
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    await must('admin.trust', { yes: true })
    expect(await as('T001.1').call('admin.untrust', {})).toMatchObject({ ok: false, exit: 64 })
    expect((await must('admin.trust.status', {})).items).toMatchObject([{ state: 'trusted' }])
  }))

test('[PROJ-8] after untrust, the project counts as a clone: its detected commands are refused', () =>
  withProject(async ({ root, must, call }) => {
    put(root, 'package.json', JSON.stringify({ scripts: { test: 'true' } }))
    await must('tasks.add', { title: 'A' })
    const verify = () => call('verify.gate', { id: 'T001', gate: 'testsPassed', evidence: 'tool:test' })
    expect(await verify()).toMatchObject({ ok: true })
    await must('admin.untrust', {})
    expect(await verify()).toMatchObject({
      ok: false,
      fix: 'cleo trust',
      message: expect.stringContaining('came with the project and is not trusted: npm test → test: true'),
    })
    await must('admin.trust', { yes: true })
    expect(await verify()).toMatchObject({ ok: true })
  }))

const verify = { id: 'T001', gate: 'testsPassed', evidence: 'tool:test' }
const cameWithIt = { ok: false, message: expect.stringContaining('came with the project and is not trusted') }

/** Replaces the project by a clone at the same path and creates the database of the clone. */
const replaceByClone = async (project: TestProject, files: Record<string, string>) => {
  rmSync(join(project.root, '.cleo'), { recursive: true })
  mkdirSync(join(project.root, '.cleo'))
  for (const [path, text] of Object.entries(files)) put(project.root, path, text)
  const clone = project.afresh()
  await clone.must('admin.init', { empty: true })
  await clone.must('tasks.add', { title: 'A' })
  return clone
}

test('[PROJ-8] a clone at the path of a project that was trusted before is not known', () =>
  withProject(async (project) => {
    const records = join(project.root, '.home/.cleo/trust.json')
    await project.must('tasks.add', { title: 'A' })
    const own = JSON.parse(readFileSync(records, 'utf8')) as Record<string, { project: string }>
    expect(own[project.root]!.project).toMatch(/^[0-9a-f]{12}$/)
    const clone = await replaceByClone(project, {
      'package.json': JSON.stringify({ scripts: { test: 'true' } }),
      '.cleo/config.json': '{}',
    })
    put(project.root, '.cleo/project.known', 'a guess\n')
    expect(await clone.call('verify.gate', verify)).toMatchObject(cameWithIt)
    // A trust record that an earlier version wrote has no project id. It has the same result.
    put(project.root, '.home/.cleo/trust.json', JSON.stringify({ [project.root]: { project: 'known' } }))
    expect(await clone.call('verify.gate', verify)).toMatchObject(cameWithIt)
    await clone.must('admin.trust', { yes: true })
    expect(await clone.call('verify.gate', verify)).toMatchObject({ ok: true })
  }))

test('[PROJ-8] a clone that is trusted before it has a database stays known after init', () =>
  withProject(async (project) => {
    rmSync(join(project.root, '.cleo'), { recursive: true })
    put(project.root, '.cleo/config.json', '{}')
    await project.afresh().must('admin.trust', { yes: true })
    const clone = project.afresh()
    expect(await clone.call('admin.init', { empty: true })).toMatchObject({ warnings: [] })
    await clone.must('tasks.add', { title: 'A' })
    put(project.root, 'package.json', JSON.stringify({ scripts: { test: 'true' } }))
    expect(await clone.call('verify.gate', verify)).toMatchObject({ ok: true })
  }))
