import { expect, test } from 'vitest'
import { put, skillText } from '../skills/skill-files.ts'
import { withProject } from '../support/project.ts'

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
