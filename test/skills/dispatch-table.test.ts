import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { protocols, stageWork } from '../../src/kernel/protocol.ts'
import { stages, types } from '../../src/kernel/task.ts'
import { type DispatchedTask, dispatch } from '../../src/skills/dispatch.ts'
import { readSkillEntry, type SkillEntry } from '../../src/skills/skill-entry.ts'
import fc, { runs } from '../support/properties.ts'
import { ordinary, traps } from './titles.ts'

const task = (title: string, more: Partial<DispatchedTask> = {}): DispatchedTask => ({
  type: 'task',
  title,
  description: '',
  labels: [],
  ...more,
})

const skill = (name: string, more: Partial<SkillEntry> & { triggers?: string[] } = {}): SkillEntry => ({
  name,
  version: '1.0.0',
  description: name,
  path: `skills/${name}`,
  token_budget: 5000,
  tier: 2,
  tags: [],
  references: [],
  capabilities: { inputs: [], outputs: [], dispatch_triggers: more.triggers ?? [] },
  sha256: '',
  template: false,
  ...more,
})

const content = join(import.meta.dirname, '..', '..', 'content', 'skills')
const shipped = await Promise.all(
  readdirSync(content).map(async (name) => {
    const text = readFileSync(join(content, name, 'SKILL.md'), 'utf8')
    const read = await readSkillEntry(text, { path: name, sha256: '', files: [] })
    if (!read.ok) throw new Error(`${name} ${read.why}`)
    return read.entry
  }),
)

describe('ordinary titles', () => {
  test('there are sixty titles, half of them traps', () => {
    expect([ordinary.length, traps.length]).toEqual([30, 30])
    expect(new Set([...ordinary, ...traps].map(([title]) => title)).size).toBe(60)
  })

  test.each([...ordinary, ...traps])('[SKILL-7] %s → %s', (title, protocol) => {
    expect(dispatch(task(title), shipped).protocol).toBe(protocol)
    expect(dispatch(task(title.toUpperCase()), []).protocol).toBe(protocol)
  })
})

describe('the answer names the rule and the words', () => {
  test('[SKILL-7] a label: the name of a skill, then a stage or protocol, then a tag', () => {
    const pdf = skill('pdf', { tags: ['documents'] })
    const on = (...labels: string[]) => dispatch(task('Fix it', { labels }), [pdf, ...shipped])
    expect(on('billing', 'Research')).toEqual({
      protocol: 'research',
      skill: 'ct-research-agent',
      rule: 'label',
      matched: ['Research'],
    })
    expect(on('validation')).toMatchObject({ protocol: 'implementation', skill: 'ct-validator' })
    expect(on('architecture-decision')).toMatchObject({ protocol: 'specification', skill: 'ct-adr-recorder' })
    expect(on('documents')).toMatchObject({
      protocol: 'implementation',
      skill: 'pdf',
      matched: ['documents'],
    })
    expect(on('research', 'pdf')).toMatchObject({ skill: 'pdf', matched: ['pdf'] })
    expect(on('constructor', '__proto__')).toMatchObject({ rule: 'leading word' })
  })

  test('[SKILL-7] a given stage counts like a label, and gives its protocol to a skill without one', () => {
    expect(dispatch(task('Fix it', { stage: 'testing' }), shipped)).toEqual({
      protocol: 'implementation',
      skill: 'ct-test-runner',
      rule: 'stage',
      matched: ['testing'],
    })
    const named = task('Fix it', { stage: 'research', labels: ['pdf'] })
    expect(dispatch(named, [skill('pdf')])).toMatchObject({ protocol: 'research', skill: 'pdf' })
    expect(dispatch(named, [skill('pdf', { protocol: 'release' })]).protocol).toBe('release')
  })

  test('[SKILL-7] then the type, then triggers, then the words of title and description, then the fallback', () => {
    const answer = (given: DispatchedTask, skills = shipped) => {
      const { rule, matched } = dispatch(given, skills)
      return [rule, ...matched]
    }
    expect(answer(task('Fix everything', { type: 'epic' }))).toEqual(['type', 'epic'])
    expect(answer(task('Do a feasibility study'))).toEqual(['trigger', 'feasibility study'])
    expect(answer(task('Sign-up', { description: 'Start with a literature review.' }))).toEqual([
      'trigger',
      'literature review',
    ])
    expect(answer(task('Add a spec'))).toEqual(['title', 'spec'])
    expect(answer(task('Add a form'))).toEqual(['leading word', 'add'])
    expect(answer(task('Release v3'))).toEqual(['title', 'release', 'v3'])
    expect(answer(task('Publish version 3'))).toEqual(['title', 'publish', '3'])
    expect(answer(task('Sign-in', { description: 'An RFC about it\nis wanted. More.' }))).toEqual([
      'description',
      'rfc',
    ])
    expect(answer(task('Sign-in', { description: 'A form. The RFC is done.' }))).toEqual(['fallback'])
    expect(answer(task('Sign-in', { description: 'A form\n\nSee the RFC' }))).toEqual(['fallback'])
    expect(answer(task('Add sign-in', { description: 'As the spec says.' }))).toEqual(['leading word', 'add'])
  })

  test('[SKILL-7] a common verb decides nothing, even as the trigger of a skill', () => {
    const eager = skill('eager', { triggers: ['validate', 'Merge', 'release', 'merge train'] })
    expect(dispatch(task('Validate and merge, then release'), [eager])).toMatchObject({ rule: 'fallback' })
    expect(dispatch(task('Start the merge train'), [eager])).toMatchObject({
      skill: 'eager',
      rule: 'trigger',
    })
  })

  test('[SKILL-7] triggers are whole words; the first in the text wins, then the longest, then the first skill', () => {
    const skills = [
      skill('short', { triggers: ['load'] }),
      skill('long', { triggers: ['load test'] }),
      skill('other', { triggers: ['résumé', 'load'] }),
    ]
    const chosen = (title: string) => dispatch(task(title), skills).skill
    expect(chosen('Run a LOAD  test')).toBe('long')
    expect(chosen('Reload the test')).toBe('ct-task-executor')
    expect(chosen('Load the re\u0301sume\u0301')).toBe('short')
    expect(chosen('The re\u0301sume\u0301 and its load')).toBe('other')
  })

  test('[SKILL-7] the configuration adds words', () => {
    const words = { research: ['spike'], contribution: ['hand over'] }
    expect(dispatch(task('Add a spike for uploads'), [], words)).toMatchObject({
      protocol: 'research',
      rule: 'title',
      matched: ['spike'],
    })
    expect(dispatch(task('Hand over the parser'), [], words).protocol).toBe('contribution')
    expect(dispatch(task('Spiked curve'), [], words).rule).toBe('fallback')
  })
})

const words = fc.constantFrom(
  'release',
  'spec',
  'PR',
  'pull',
  'request',
  '2.0',
  'notes',
  'vote',
  'a',
  '.',
  '\n\n',
  'é',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(words, { maxLength: 8 }).map((all) => all.join(' ')),
)
const texts = fc.array(text, { maxLength: 3 })

test('[SKILL-7] any task gets a protocol that exists', () => {
  const entries = fc.array(
    fc.record({
      name: text,
      tags: texts,
      triggers: texts,
      protocol: fc.constantFrom(undefined, ...protocols),
    }),
    { maxLength: 3 },
  )
  const given = fc.record({
    type: fc.constantFrom(...types),
    title: text,
    description: text,
    labels: texts,
    stage: fc.constantFrom(undefined, ...stages),
  })
  fc.assert(
    fc.property(given, entries, (each, found) => {
      const {
        protocol,
        skill: name,
        rule,
      } = dispatch(
        each,
        found.map(({ name, ...more }) => skill(name, more)),
      )
      const known = [...Object.values(stageWork).map(({ skill }) => skill), ...found.map(({ name }) => name)]
      return protocols.includes(protocol) && known.includes(name) && rule.length > 0
    }),
    { numRuns: runs(10_000) },
  )
})

test('[SKILL-7] a long text of near misses is scanned once', () => {
  const hostile = ['a-'.repeat(32_000), 'pull '.repeat(13_000), '. '.repeat(32_000), '\n '.repeat(32_000)]
  const skills = [skill('x', { triggers: ['pull pull pull request', 'pull request'] })]
  for (const description of hostile) {
    expect(dispatch(task('Sign-in', { description }), skills).rule).toBe('fallback')
  }
})
