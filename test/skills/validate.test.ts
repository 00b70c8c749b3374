import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linkedFiles } from '../../src/skills/referenced-files.ts'
import { validateSkill } from '../../src/skills/validate-skill.ts'
import { withProject } from '../support/project.ts'
import { put, skillText } from './skill-files.ts'

const validate = async (text: string, more: { folder?: string; files?: string[]; tokens?: number } = {}) => {
  const { entry, findings } = await validateSkill({
    file: 'SKILL.md',
    text,
    folder: 'deploy',
    files: [],
    tokens: 100,
    ...more,
  })
  return {
    loads: entry !== undefined,
    found: findings.map(({ level, line, message }) => `${line} ${level}: ${message}`),
  }
}

const plain = '---\nname: deploy\ndescription: Ships it.\n---\nBody.\n'

describe('the Agent Skills format', () => {
  test('[SKILL-3] a name and a description are enough', async () => {
    expect(await validate(plain)).toEqual({ loads: true, found: [] })
  })

  test('[SKILL-3] every error is reported at once, with its line; the skill still loads', async () => {
    const text = `---
name: Deploy_All
version: 1.2
description: ${'x'.repeat(1025)}
license: [MIT]
compatibility: ${'y'.repeat(501)}
allowed-tools:
  - Bash
  - Read
metadata:
  tier: 2
  tags: [a, b]
---
`
    expect(await validate(text)).toEqual({
      loads: true,
      found: [
        '2 error: the name "Deploy_All" must be at most 64 lower-case letters, digits and single hyphens',
        '2 error: the name "Deploy_All" differs from its folder, "deploy"',
        '3 error: "version" is not a key of the Agent Skills format; move it into metadata',
        '4 error: description has more than 1024 characters',
        '5 error: license must be text on one line',
        '6 error: compatibility has more than 500 characters',
        '7 error: allowed-tools must be text on one line',
        '11 error: metadata.tier is not text; put quotes around it, and commas between words',
        '12 error: metadata.tags is not text; put quotes around it, and commas between words',
      ],
    })
  })

  test.each([
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['a-b-2', true],
    ['-a', false],
    ['a--b', false],
    ['a-', false],
    ['ä', false],
  ])('[SKILL-3] the name %s: %s', async (name, isFine) => {
    const { found } = await validate(`---\nname: ${name}\ndescription: x\n---\n`, { folder: name })
    expect(found.length === 0).toBe(isFine)
  })

  test.each([
    ['---\ndescription: x\n---\n', '1 error: has no name, so the skill cannot be loaded'],
    ['---\nname: deploy\n---\n', '1 error: has no description, so the skill cannot be loaded'],
    [
      '---\nname: deploy\ndescription: "  "\n---\n',
      '1 error: has no description, so the skill cannot be loaded',
    ],
    [
      '---\nname: deploy\ndescription: a: b\n---\n',
      '3 error: is not plain YAML: a value with ": " in it needs quotes around it, so the skill cannot be loaded',
    ],
    ['# Deploy\n', '1 error: has no front matter, so the skill cannot be loaded'],
  ])('[SKILL-3] %j cannot be loaded', async (text, why) => {
    expect(await validate(text)).toEqual({ loads: false, found: [why] })
  })

  test('[SKILL-3] metadata that is not a map is reported', async () => {
    expect((await validate('---\nname: deploy\ndescription: x\nmetadata: [a]\n---\n')).found).toEqual([
      '4 error: metadata is not a list of "name: text" lines',
    ])
  })
})

describe("CLEO's own rules", () => {
  test('[SKILL-3] budget, triggers, protocol and links are warnings', async () => {
    const text = `---
name: deploy
description: Ships it.
metadata:
  token_budget: "50"
  tier: high
  protocol: releas
  cleo-template: "yes"
  dispatch_triggers: "roll out, Merge, add"
---

See [this](references/here.md) and [that](gone.md).
`
    expect(await validate(text, { files: ['references/here.md'] })).toEqual({
      loads: true,
      found: [
        '5 warning: SKILL.md has 100 tokens, more than its budget of 50; move details into references/',
        '6 warning: tier is not a whole number',
        '7 warning: there is no protocol "releas"; did you mean "release"?',
        '8 warning: cleo-template must be true or false',
        '9 warning: the trigger "Merge" is too common; use a more specific phrase',
        '9 warning: the trigger "add" is too common; use a more specific phrase',
        '12 warning: links to gone.md, which does not exist',
      ],
    })
  })

  test('[SKILL-3] links to files outside the skill are ignored', () => {
    const links =
      '[a](#top) [b](http://x/y.md) [c](mailto:a@b.md) [d](//x/y.md) [e](../up.md) [f](/abs.md) [g](x.png) `[h](h.md)`'
    expect(linkedFiles(links)).toEqual([])
    expect(linkedFiles('[a](b.md?x#y) [b](<c%20d.md>) [c](./b.md)\n[d]: sub/e.MD "title"')).toEqual([
      'b.md',
      'c d.md',
      'sub/e.MD',
    ])
  })

  const content = join(import.meta.dirname, '..', '..', 'content', 'skills')
  test.each(readdirSync(content))('[SKILL-3] the shipped %s is valid', async (name) => {
    const files = readdirSync(join(content, name), { recursive: true, encoding: 'utf8' })
    const text = readFileSync(join(content, name, 'SKILL.md'), 'utf8')
    expect(await validate(text, { folder: name, files })).toEqual({ loads: true, found: [] })
  })
})

test('[SKILL-3] a skill of 18,000 tokens loads; validation reports its length', () =>
  withProject(async ({ root, must }) => {
    put(root, 'skills/long/SKILL.md', skillText('long', '', 'word '.repeat(18_000)))
    expect(await must('skills.show', { name: 'long', level: 'L1' })).toMatchObject({ name: 'long' })
    const { findings } = await must('skills.validate', { skill: 'long' })
    expect(findings).toHaveLength(1)
    expect(findings[0]!.message).toMatch(/^SKILL\.md has 180\d\d tokens, more than its budget of 5000/)
  }))
