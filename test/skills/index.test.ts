import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import { put, skillText } from './skill-files.ts'

const manifest = 'skills/manifest.json'

test('[SKILL-2] skills/manifest.json holds the project skills, the same on every machine, and is updated', () =>
  withProject(async ({ root, must, call }) => {
    put(
      root,
      'skills/deploy/SKILL.md',
      skillText(
        'deploy',
        '  tags: "ops, ship"\n  dispatch_triggers: "roll out"\n',
        'See [how](references/how.md).\n',
      ),
    )
    put(root, 'skills/deploy/references/how.md', 'so')
    put(root, '.claude/skills/deploy/SKILL.md', skillText('deploy'))
    put(root, '.claude/skills/add-on/SKILL.md', skillText('add-on'))
    put(root, '.home/.claude/skills/mine/SKILL.md', skillText('mine'))
    expect(await must('skills.index', {})).toEqual({ path: manifest, skills: ['add-on', 'deploy'] })
    expect(await must('skills.index', {})).toMatchObject({ noChange: true })
    const text = readFileSync(join(root, manifest), 'utf8')
    expect(text).not.toContain(root)
    expect(JSON.parse(text).skills[1]).toEqual({
      name: 'deploy',
      version: '0.0.0',
      description: 'What deploy is for.',
      path: 'skills/deploy',
      token_budget: 5000,
      tier: 2,
      tags: ['ops', 'ship'],
      references: ['skills/deploy/SKILL.md', 'skills/deploy/references/how.md'],
      capabilities: { inputs: [], outputs: [], dispatch_triggers: ['roll out'] },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      template: false,
    })
    put(root, 'skills/deploy/SKILL.md', skillText('deploy', '  version: "3.0.0"\n'))
    rmSync(join(root, '.claude/skills/add-on'), { recursive: true })
    await call('skills.list', {})
    const listed = JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills
    expect(listed.map((each: { name: string; version: string }) => [each.name, each.version])).toEqual([
      ['deploy', '3.0.0'],
    ])
    writeFileSync(join(root, manifest), text)
    await call('skills.list', {})
    expect(JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills).toEqual(listed)
    rmSync(join(root, 'skills/deploy'), { recursive: true })
    rmSync(join(root, '.claude'), { recursive: true })
    await call('skills.list', {})
    expect(JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills).toEqual([])
  }))

test('[SKILL-2] skills/manifest.json is not written unasked, and a foreign file is left alone', () =>
  withProject(async ({ root, must, call }) => {
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    await must('skills.list', {})
    expect(() => statSync(join(root, manifest))).toThrow()
    expect((await call('skills.index', {}, { dryRun: true })).ok).toBe(true)
    expect(() => statSync(join(root, manifest))).toThrow()
    put(root, manifest, '{"manifest_version": 3}')
    await must('skills.list', {})
    expect(await call('skills.index', {})).toMatchObject({ ok: false, code: 'file.exists' })
    expect(readFileSync(join(root, manifest), 'utf8')).toBe('{"manifest_version": 3}')
    put(root, manifest, '{"skills": []}')
    expect(await must('skills.index', {})).toEqual({ path: manifest, skills: ['deploy'] })
  }))
