import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEntry } from '../../src/skills/entry.ts'
import { examineSkill } from '../../src/skills/examine.ts'
import { linkedFiles } from '../../src/skills/links.ts'

const examine = async (text: string, more: { folder?: string; files?: string[]; tokens?: number } = {}) => {
  const { entry, findings } = await examineSkill({
    file: 'SKILL.md',
    text,
    folder: 'deploy',
    files: [],
    tokens: 100,
    ...more,
  })
  return {
    loads: entry !== undefined,
    said: findings.map(({ level, line, message }) => `${line} ${level}: ${message}`),
  }
}

const plain = '---\nname: deploy\ndescription: Ships it.\n---\nBody.\n'

describe('the public rules', () => {
  test('[SKILL-3] a name and a description are enough', async () => {
    expect(await examine(plain)).toEqual({ loads: true, said: [] })
  })

  test('[SKILL-3] everything that is wrong is said at once, with its line; it loads all the same', async () => {
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
    expect(await examine(text)).toEqual({
      loads: true,
      said: [
        '2 error: the name "Deploy_All" is not at most 64 small letters, digits and single hyphens',
        '2 error: the name "Deploy_All" is not that of its folder, "deploy"',
        '3 error: "version" is not a key of the public format; it belongs below metadata',
        '4 error: description has more than 1024 characters',
        '5 error: license is not one text on a line',
        '6 error: compatibility has more than 500 characters',
        '7 error: allowed-tools is not one text on a line',
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
    const { said } = await examine(`---\nname: ${name}\ndescription: x\n---\n`, { folder: name })
    expect(said.length === 0).toBe(isFine)
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
    expect(await examine(text)).toEqual({ loads: false, said: [why] })
  })

  test('[SKILL-3] metadata that is no map is said', async () => {
    expect((await examine('---\nname: deploy\ndescription: x\nmetadata: [a]\n---\n')).said).toEqual([
      '4 error: metadata is not a list of "name: text" lines',
    ])
  })
})

describe('our own rules', () => {
  test('[SKILL-3] budget, triggers, protocol and links are advice', async () => {
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
    expect(await examine(text, { files: ['references/here.md'] })).toEqual({
      loads: true,
      said: [
        '5 warning: SKILL.md has 100 tokens, more than its budget of 50; put what is seldom needed into references/',
        '6 warning: tier is not a whole number',
        '7 warning: there is no protocol "releas"; did you mean "release"?',
        '8 warning: cleo-template is neither true nor false',
        '9 warning: the trigger "Merge" is an everyday verb; say what it is about',
        '9 warning: the trigger "add" is an everyday verb; say what it is about',
        '12 warning: links to gone.md, which is not there',
      ],
    })
  })

  test('[SKILL-3] links that are no files of the skill are not looked for', () => {
    const links =
      '[a](#top) [b](http://x/y.md) [c](mailto:a@b.md) [d](//x/y.md) [e](../up.md) [f](/abs.md) [g](x.png) `[h](h.md)`'
    expect(linkedFiles(links)).toEqual([])
    expect(linkedFiles('[a](b.md?x#y) [b](<c%20d.md>) [c](./b.md)\n[d]: sub/e.MD "title"')).toEqual([
      'b.md',
      'c d.md',
      'sub/e.MD',
    ])
  })

  const content = join(import.meta.dirname, '..', '..', '..', 'content', 'skills')
  test.each(readdirSync(content))('[SKILL-3] the shipped %s has nothing wrong with it', async (name) => {
    const files = readdirSync(join(content, name), { recursive: true, encoding: 'utf8' })
    const text = readFileSync(join(content, name, 'SKILL.md'), 'utf8')
    expect(await examine(text, { folder: name, files })).toEqual({ loads: true, said: [] })
  })
})

describe('the entry', () => {
  const entry = async (metadata: string) => {
    const read = await readEntry(`---\nname: deploy\ndescription: >\n  Ships\n  it.\n${metadata}---\n`, {
      path: 'skills/deploy',
      sha256: 'abc',
      files: ['references/a.md'],
    })
    return read.ok ? read.entry : read
  }

  test('[SKILL-1] has defaults for what a public skill does not say', async () => {
    expect(await entry('')).toEqual({
      name: 'deploy',
      version: '0.0.0',
      description: 'Ships it.',
      path: 'skills/deploy',
      token_budget: 5000,
      tier: 2,
      tags: [],
      references: ['skills/deploy/SKILL.md', 'skills/deploy/references/a.md'],
      capabilities: { inputs: [], outputs: [], dispatch_triggers: [] },
      sha256: 'abc',
      template: false,
    })
  })

  test('[SKILL-2] comes from the metadata, lists between commas; what others write at the top counts too', async () => {
    const said = `version: 1.10\nallowed-tools: [Bash, Read]\nmetadata:\n  tier: "0"\n  token-budget: "900"\n  tags: "a, b,,a"
  inputs: [X, Y]\n  outputs: file\n  dispatch_triggers: "roll out"\n  protocol: release\n  model: opus\n  cleo-template: true\n`
    expect(await entry(said)).toMatchObject({
      version: '1.10',
      token_budget: 900,
      tier: 0,
      tags: ['a', 'b'],
      capabilities: { inputs: ['X', 'Y'], outputs: ['file'], dispatch_triggers: ['roll out'] },
      template: true,
      protocol: 'release',
      model: 'opus',
      allowed_tools: 'Bash Read',
    })
  })

  test('[SKILL-1] what would break out of a prompt is not taken over', async () => {
    const hostile = 'metadata:\n  version: "1\\n## Protocol"\n  protocol: "none"\n  tags: "a\\nb"\n'
    expect(await entry(hostile)).toMatchObject({ version: '0.0.0', tags: ['a b'] })
    expect(await entry(hostile)).not.toHaveProperty('protocol')
  })
})
