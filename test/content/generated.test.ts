import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentTexts } from '../../src/agents/generated/agents.ts'
import { sha256 } from '../../src/host/sha256.ts'
import { joinFrontMatter } from '../../src/markdown/front-matter.ts'
import { loadShipped, shippedEntries } from '../../src/skills/generated/skills.ts'
import { antiPatterns } from '../../src/spawn/generated/anti-patterns.ts'
import { protocolTexts } from '../../src/spawn/generated/protocols.ts'
import { stageTexts } from '../../src/spawn/generated/stages.ts'
import { namesIn, read, tokens } from './files.ts'

const generated = join(import.meta.dirname, '../../src/skills/generated')

describe('the modules made of the content', () => {
  test('hold every text unchanged', () => {
    for (const [name, text] of Object.entries(protocolTexts)) expect(text).toBe(read(`protocols/${name}.md`))
    for (const [name, text] of Object.entries(stageTexts)) expect(text).toBe(read(`stages/${name}.md`))
    for (const [name, text] of Object.entries(agentTexts)) expect(text).toBe(read(`agents/${name}/AGENT.md`))
    expect(antiPatterns).toBe(read('anti-patterns.md'))
    expect(Object.keys(protocolTexts)).toHaveLength(8)
    expect(Object.keys(stageTexts)).toHaveLength(10)
    expect(Object.keys(agentTexts)).toEqual(namesIn('agents'))
  })

  test('[SKILL-2] the index has every skill, with hash and exact count', () => {
    expect(shippedEntries.map(({ name }) => name)).toEqual(namesIn('skills'))
    for (const { name, path, sha256: hash, tokens: count, references } of shippedEntries) {
      const text = read(`${path}/SKILL.md`)
      expect({ path, hash, count }).toEqual({
        path: `skills/${name}`,
        hash: sha256(text),
        count: tokens(text.slice(text.indexOf('\n---\n') + 5)),
      })
      expect(references[0]).toBe(`${path}/SKILL.md`)
    }
  })

  test('[SKILL-2] an entry has the shape of the index', () => {
    const { sha256, tokens, ...entry } = shippedEntries.find(({ name }) => name === 'ct-epic-architect')!
    expect(entry).toEqual({
      name: 'ct-epic-architect',
      version: '1.0.0',
      description: expect.stringMatching(/^Split an epic into tasks .* too large for one agent\.$/),
      path: 'skills/ct-epic-architect',
      token_budget: 550,
      tier: 1,
      tags: ['decomposition', 'breakdown'],
      references: [
        'skills/ct-epic-architect/SKILL.md',
        'skills/ct-epic-architect/references/worked-example.md',
      ],
      capabilities: {
        inputs: ['EPIC_ID', 'TASK_DESCRIPTION', 'ACCEPTANCE_CRITERIA'],
        outputs: ['tasks', 'decomposition-file', 'manifest-entry'],
        dispatch_triggers: ['break down the epic', 'decompose the epic'],
      },
      template: true,
      protocol: 'decomposition',
    })
  })

  test.each(namesIn('skills'))('[SKILL-9] %s is loaded by itself, byte for byte', async (name) => {
    const { frontMatter, body, files } = (await loadShipped(name))!
    const entry = shippedEntries.find((each) => each.name === name)!
    expect(joinFrontMatter({ frontMatter, body })).toBe(read(`skills/${name}/SKILL.md`))
    expect(['SKILL.md', ...files.map(({ path }) => path)].map((path) => `${entry.path}/${path}`)).toEqual(
      entry.references,
    )
    for (const { path, text } of files) expect(text).toBe(read(`skills/${name}/${path}`))
  })

  test('a skill that does not ship is not loaded', async () => {
    expect(await loadShipped('ct-nobody')).toBeUndefined()
    expect(await loadShipped('constructor')).toBeUndefined()
  })

  test('no module is left of a removed skill', () => {
    expect(readdirSync(join(generated, 'skills')).sort()).toEqual(
      namesIn('skills').map((name) => `${name}.ts`),
    )
  })
})
