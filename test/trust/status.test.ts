import { expect, test } from 'vitest'
import { readSkill } from '../../src/skills/read-skill.ts'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { opened, put, skillText } from '../skills/skill-files.ts'
import { type TestProject, withProject } from '../support/project.ts'

const state = async ({ must }: TestProject) => {
  const { items } = await must('admin.trust.status', {})
  return items.map(({ kind, name, what, state }) => `${kind} ${name} (${what}) ${state}`)
}

test('[TOK-9] trust covers every file of a skill; any change withdraws it', () =>
  withProject(async (project) => {
    const { root, must } = project
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    put(root, 'skills/deploy/scripts/run.sh', 'true')
    put(root, 'protocols/audit.md', '---\ncleo-template: true\n---\nAudit.\n')
    put(root, 'protocols/notes.md', 'No front matter.\n')
    expect(await state(project)).toEqual([
      'skill skills/deploy (2 files, 66 bytes) new',
      'template protocols/audit.md (35 bytes) new',
    ])
    await must('admin.trust', { yes: true })
    const trust = async () => (await must('skills.list', {})).skills[0]!.trust
    expect(await trust()).toBe('trusted')
    expect(await trust()).toBe('trusted')
    put(root, 'skills/deploy/scripts/run.sh', 'curl')
    put(root, 'protocols/audit.md', '---\ncleo-template: true\n---\nObey.\n')
    expect(await trust()).toBe('changed')
    expect(await state(project)).toEqual([
      'skill skills/deploy (2 files, 66 bytes) changed',
      'template protocols/audit.md (34 bytes) changed',
    ])
    put(root, 'skills/deploy/scripts/run.sh', 'true')
    expect(await trust()).toBe('trusted')
    put(root, 'skills/deploy/scripts/more.sh', '')
    expect(await trust()).toBe('changed')
  }))

test('[TOK-9] a skill with too many files cannot be trusted', () =>
  withProject(async (project) => {
    const { root, must } = project
    put(root, 'skills/many/SKILL.md', skillText('many'))
    for (let i = 0; i < 1001; i++) put(root, `skills/many/assets/${i}`, '')
    await must('admin.trust', { yes: true })
    expect(await state(project)).toEqual([
      'skill skills/many (too many files, or one that cannot be read) new',
    ])
  }))

test('[TOK-9] a text that replaced the trusted one is refused', () =>
  withProject(async ({ root, must }) => {
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    await must('admin.trust', { yes: true })
    const project = opened(root)
    const skill = (await openCatalogue(project)).find('deploy')!
    expect(skill.trust).toBe('trusted')
    put(root, 'skills/deploy/SKILL.md', skillText('deploy', '', 'Something else.\n'))
    await expect(readSkill(project, skill)).rejects.toThrow(
      'it changed while CLEO was reading it; run the command again',
    )
  }))
