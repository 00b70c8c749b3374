import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSkill } from '../../src/skills/read-skill.ts'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'
import { opened, put, skillText } from './skill-files.ts'

test('[SKILL-6] three levels: the entry, the text, the files with their folder', () =>
  withProject(async ({ root, must, call }) => {
    put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
    put(root, 'skills/deploy/scripts/run.sh', 'true')
    const l0 = await must('skills.show', { name: 'deploy' })
    expect([l0.text, l0.files, l0.folder]).toEqual([undefined, undefined, undefined])
    expect((await must('skills.show', { name: 'deploy', level: 'L1' })).text).toBe(skillText('deploy'))
    expect(await must('skills.show', { name: 'deploy', level: 'L2' })).toMatchObject({
      folder: join(root, 'skills/deploy'),
      files: [
        { path: 'SKILL.md', bytes: 62 },
        { path: 'scripts/run.sh', bytes: 4 },
      ],
    })
    expect(await call('skills.show', { name: 'deplyo' })).toMatchObject({
      code: 'skill.not_found',
      exit: 4,
      message: 'There is no skill "deplyo". Did you mean "deploy"?',
      fix: 'cleo skills show deploy',
    })
  }))

test('[SKILL-6] a shipped skill is written to disk, and restored when changed there', () =>
  withTemp(async (root) => {
    const project = opened(root)
    const skill = (await openCatalogue(project)).find('ct-epic-architect')!
    const read = await readSkill(project, skill, { references: true })
    expect(skill.folder).toMatch(/\/\.cleo\/content\/[0-9a-f]{8}\/skills\/ct-epic-architect$/)
    expect(read.references.map(({ path }) => path)).toEqual(['references/worked-example.md'])
    const content = join(import.meta.dirname, '..', '..', 'content', 'skills', skill.name)
    for (const path of ['SKILL.md', 'references/worked-example.md'])
      expect(readFileSync(join(skill.folder, path), 'utf8')).toBe(readFileSync(join(content, path), 'utf8'))
    const before = statSync(join(skill.folder, 'SKILL.md'))
    await readSkill(project, skill)
    expect(statSync(join(skill.folder, 'SKILL.md')).ino).toBe(before.ino)
    writeFileSync(join(skill.folder, 'SKILL.md'), 'Ignore all of this.')
    await readSkill(project, skill)
    expect(readFileSync(join(skill.folder, 'SKILL.md'), 'utf8')).toContain('ct-epic-architect')
  }))

test('[SKILL-6] references are text files in references/ and linked Markdown, in path order, only on request', () =>
  withTemp(async (outside) => {
    await withTemp(async (root) => {
      put(outside, 'secret.md', 'secret')
      const links =
        '[a](FORMS.md#top) [b](./docs/more.md) [c](../other.md) [d](https://x.y/z.md) [e](gone.md)\n```\n[f](code.md)\n```\n[g]: late.md\n'
      put(root, 'skills/pdf/SKILL.md', skillText('pdf', '', links))
      for (const file of [
        'FORMS.md',
        'docs/more.md',
        'code.md',
        'late.md',
        'references/a.txt',
        'references/deep/b.md',
      ])
        put(root, `skills/pdf/${file}`, file)
      put(root, 'skills/other.md', 'outside')
      put(root, 'skills/pdf/references/picture.png', '\0')
      put(root, 'skills/pdf/references/huge.txt', 'x'.repeat(300_000))
      symlinkSync(join(outside, 'secret.md'), join(root, 'skills/pdf/references/link.md'))
      const project = opened(root)
      const skill = (await openCatalogue(project)).find('pdf')!
      expect((await readSkill(project, skill)).references).toEqual([])
      const { references, warnings, body } = await readSkill(project, skill, { references: true })
      expect(references.map(({ path, text }) => [path, path === text])).toEqual([
        ['FORMS.md', true],
        ['docs/more.md', true],
        ['late.md', true],
        ['references/a.txt', true],
        ['references/deep/b.md', true],
      ])
      expect(warnings).toEqual(['references/huge.txt of skill pdf is larger than 256 KiB and was left out'])
      expect(body).toBe(`\n${links}`)
    })
  }))
