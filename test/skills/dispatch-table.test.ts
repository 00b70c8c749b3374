import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { protocols, stageWork } from '../../src/kernel/protocol.ts'
import { stages, types } from '../../src/kernel/task.ts'
import { type DispatchedTask, type DispatchSettings, dispatch } from '../../src/skills/dispatch.ts'
import { readSkillEntry, type SkillEntry } from '../../src/skills/skill-entry.ts'
import fc, { runs } from '../support/properties.ts'
import {
  doubtful,
  holdOut,
  ownOrdinary,
  ownTraps,
  type Title,
  trackerOrdinary,
  trackerTraps,
} from './titles.ts'

const task = (title: string, more: Partial<DispatchedTask> = {}): DispatchedTask => ({
  type: 'task',
  title,
  labels: [],
  files: [],
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

const plain = ([title, protocol]: readonly [...Title, from?: string]): Title => [title, protocol]
const titles = [...ownOrdinary, ...ownTraps, ...trackerOrdinary, ...trackerTraps].map(plain)

describe('ordinary titles', () => {
  test('there are 120 titles, half of them traps', () => {
    expect([ownOrdinary, ownTraps, trackerOrdinary, trackerTraps].map(({ length }) => length)).toEqual([
      30, 30, 30, 30,
    ])
    expect(new Set(titles.map(([title]) => title)).size).toBe(120)
    for (const [, protocol] of [...ownTraps, ...trackerTraps]) expect(protocol).toBe('implementation')
    for (const [, , from] of [...trackerOrdinary, ...trackerTraps])
      expect(from).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/)
  })

  test.each(titles)('[SKILL-7] %s → %s', (title, protocol) => {
    expect(dispatch(task(title), shipped).protocol).toBe(protocol)
  })

  test.each(doubtful.map(plain))('[SKILL-7] %s is not clearly %s, so it is implementation', (title) => {
    expect(dispatch(task(title), shipped).protocol).toBe('implementation')
  })

  test('[SKILL-7] of sixty titles not adjusted for, most are right and none gets less evidence', () => {
    const chosen = holdOut.map(([title]) => dispatch(task(title), shipped).protocol)
    const less = holdOut.filter(([, right], i) => ![right, 'implementation'].includes(chosen[i]!))
    expect(less).toEqual([])
    expect(holdOut.filter(([, right], i) => chosen[i] === right).length).toBeGreaterThanOrEqual(47)
  })

  test('[SKILL-7] capitals never lead to less evidence', () => {
    const shouted = titles.map(([title]) => dispatch(task(title.toUpperCase()), []).protocol)
    const wrong = titles.filter(([, right], i) => ![right, 'implementation'].includes(shouted[i]!))
    expect(wrong).toEqual([])
  })
})

describe('the answer names the rule and the words', () => {
  const answer = (given: DispatchedTask, skills = shipped, settings?: DispatchSettings) => {
    const { rule, matched } = dispatch(given, skills, settings)
    return [rule, ...matched]
  }

  test('[SKILL-7] a label: a protocol or stage, the name of a skill, or a tag of one', () => {
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
    expect(on('pdf', 'research')).toMatchObject({
      protocol: 'research',
      skill: 'pdf',
      matched: ['research', 'pdf'],
    })
    expect(on('constructor', '__proto__')).toMatchObject({ rule: 'title' })
  })

  test('[SKILL-7] then the stage, which gives its protocol to a labelled skill without one', () => {
    expect(dispatch(task('Fix it', { stage: 'testing' }), shipped)).toEqual({
      protocol: 'implementation',
      skill: 'ct-test-runner',
      rule: 'stage',
      matched: ['testing'],
    })
    expect(answer(task('Fix it', { stage: 'testing', labels: ['research'] }))).toEqual(['label', 'research'])
    const named = task('Fix it', { stage: 'research', labels: ['pdf'] })
    expect(dispatch(named, [skill('pdf')])).toMatchObject({ protocol: 'research', skill: 'pdf' })
    expect(dispatch(named, [skill('pdf', { protocol: 'release' })]).protocol).toBe('release')
  })

  test('[SKILL-7] then the type, the title, declared files, triggers, the fallback', () => {
    expect(answer(task('Fix everything', { type: 'epic' }))).toEqual(['type', 'epic'])
    expect(answer(task('Find out why it hangs'))).toEqual(['title', 'Find out'])
    expect(answer(task('Write a short design doc'))).toEqual(['title', 'Write', 'design doc'])
    expect(answer(task('Break it into tasks'))).toEqual(['title', 'Break', 'into', 'tasks'])
    expect(answer(task('Decompose sign-up into tasks'))).toEqual(['title', 'Decompose', 'into', 'tasks'])
    expect(answer(task('Decompose jobs into tasks'))).toEqual(['fallback'])
    expect(answer(task('Release v3'))).toEqual(['title', 'Release', 'v3'])
    expect(answer(task('Publish version 3'))).toEqual(['title', 'Publish', '3'])
    expect(answer(task('Add a form'))).toEqual(['title', 'Add'])
    expect(answer(task('Login page', { files: ['src/login.js'] }))).toEqual(['files', 'src/login.js'])
    expect(answer(task('Start the test campaign', { files: ['a.ts'] }))).toEqual(['trigger', 'test campaign'])
    expect(answer(task('Add a test campaign'))).toEqual(['trigger', 'test campaign'])
    expect(answer(task('Login page'))).toEqual(['fallback'])
  })

  test('[SKILL-7] files in the folders of outputs and specifications do not decide', () => {
    const settings = { documentFolders: ['docs/specs/', 'out'] }
    const on = (...files: string[]) => answer(task('Login page', { files }), [], settings)
    expect(on('docs/specs/login.md', './out/a.md', 'docs/specs')).toEqual(['fallback'])
    expect(on('docs/specs/login.md', 'src/a.ts')).toEqual(['files', 'src/a.ts'])
    expect(on('docs/specs-old/a.md')).toEqual(['files', 'docs/specs-old/a.md'])
  })

  test('[SKILL-7] a trigger never brings a protocol that requires less evidence', () => {
    const lazy = skill('lazy', { triggers: ['login'], protocol: 'research' })
    expect(dispatch(task('Login page'), [lazy, ...shipped])).toMatchObject({ rule: 'fallback' })
    expect(dispatch(task('Do a feasibility study'), shipped)).toMatchObject({ protocol: 'implementation' })
  })

  test('[SKILL-7] an ADR gets the skill for decision records', () => {
    expect(dispatch(task('Draft an ADR'), shipped).skill).toBe('ct-adr-recorder')
    expect(dispatch(task('Write the architecture decision record for queues'), shipped).skill).toBe(
      'ct-adr-recorder',
    )
    expect(dispatch(task('Write the spec'), shipped).skill).toBe('ct-spec-writer')
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

  test('[SKILL-7] the configuration adds words for the head of a title', () => {
    const settings = { words: { research: ['spike'], contribution: ['Hand over'] }, documentFolders: [] }
    expect(dispatch(task('Spike: uploads by chunks'), [], settings)).toMatchObject({
      protocol: 'research',
      rule: 'title',
      matched: ['Spike'],
    })
    expect(dispatch(task('hand over the parser'), [], settings).protocol).toBe('contribution')
    expect(dispatch(task('Add a spike for uploads'), [], settings).protocol).toBe('implementation')
    expect(dispatch(task('Spiked curve'), [], settings).rule).toBe('fallback')
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
  'on',
  'the',
  'compare',
  'break',
  'into',
  'tasks',
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
    labels: texts,
    files: texts,
    stage: fc.constantFrom(undefined, ...stages()),
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
  for (const title of hostile) {
    expect(dispatch(task(title), skills).rule).toBe('fallback')
  }
})

/**
 * Titles of features and bugs that begin with a verb of another protocol, or with a noun that looks like such a verb.
 */
const moreTraps = [
  'Plan the weekly menu view',
  'Plan the upgrade dialog',
  'Research the product catalogue',
  'Research Papers',
  'Research tool',
  'Compare View',
  'Compare the two prices in the cart',
  'Compare IDs of both rows',
  'Explore Nearby Places',
  'Explore the map',
  'Evaluate the formula in a cell',
  'Evaluate options when the form is saved',
  'Analyse the uploaded picture',
  'Vote on the comment',
  'Vote on a proposal in the app',
  'Agree on terms before checkout',
  'Decide whether the cache is stale',
  'Decide which price applies',
  'Choose between tabs with the arrow keys',
  'Specify the port of the server',
  'Break the line into tasks column',
  'Contribute button',
  'Publish the post',
  'Ship the order',
  'Review and merge two baskets',
  'Draft an e-mail',
  'Write the RFC 5322 parser',
]

test.each(moreTraps)('[SKILL-7] when in doubt, implementation: %s', (title) => {
  expect(dispatch(task(title), shipped).protocol).toBe('implementation')
  expect(dispatch(task(title.toUpperCase()), shipped).protocol).toBe('implementation')
})
