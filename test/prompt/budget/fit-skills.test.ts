import { describe, expect, test } from 'vitest'
import { estimate } from '../../../src/prompt/budget/estimate.ts'
import { type FittedSkill, fitSkills, type SkillToFit } from '../../../src/prompt/budget/fit-skills.ts'
import {
  estimateMeasure,
  exactMeasure,
  loadTokenizer,
  type Measure,
} from '../../../src/prompt/budget/measure.ts'
import { strategies } from '../../../src/prompt/budget/strategy.ts'
import fc from '../../support/properties.ts'
import { closing, skill } from './generated-skills.ts'
import { odd } from './odd-texts.ts'

const exact = await loadTokenizer()
/** Counts one token for each character, so that a limit is simply a number of characters. */
const letters = exactMeasure((text) => text.length)

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')
const make = (special: Partial<SkillToFit>): SkillToFit => ({
  name: 'a',
  strategy: 'standard',
  body: lines(10),
  references: [],
  summary: 'what it is for',
  ...special,
})
const references = [
  { path: 'references/a.md', text: 'A'.repeat(100) },
  { path: 'references/b.md', text: 'B'.repeat(100) },
  { path: 'references/c.md', text: 'C'.repeat(100) },
]
const fitAll = (skills: SkillToFit[], limit: number, measure = letters): FittedSkill[] => {
  const fitted = fitSkills(skills, limit, measure, closing)
  if (fitted === 'unsure') throw new Error('unsure')
  return fitted
}
const size = (fitted: FittedSkill[]) => fitted.map(({ text }) => text).join('\n\n').length

describe('[BUDG-3] skills over their budget', () => {
  test('stay as they are where they fit', () => {
    const [only] = fitAll([make({})], 1000)
    expect(only).toEqual({
      name: 'a',
      strategy: 'standard',
      text: lines(10),
      tokens: lines(10).length,
      cuts: [],
    })
  })

  test('[SKILL-4] lose the largest references first and keep the others in the order of their paths', () => {
    const all = fitAll([make({ strategy: 'comprehensive', references: references.toReversed() })], 1000)
    expect(all[0]!.text.match(/#### .*/g)).toEqual(references.map(({ path }) => `#### ${path}`))
    const some = fitAll([make({ strategy: 'comprehensive', references })], size(all) - 1)
    expect(some[0]).toMatchObject({ strategy: 'comprehensive', cuts: ['references/c.md left out'] })
    const large = [...references.slice(0, 2), { path: 'references/0.md', text: 'D'.repeat(500) }]
    const others = fitAll([make({ strategy: 'comprehensive', references: large })], size(all))
    expect(others[0]!.cuts).toEqual(['references/0.md left out'])
    expect(others[0]!.text.match(/#### .*/g)).toEqual(['#### references/a.md', '#### references/b.md'])
    const none = fitAll([make({ strategy: 'comprehensive', references })], lines(10).length)
    expect(none[0]).toMatchObject({ strategy: 'standard', text: lines(10) })
    expect(none[0]!.cuts).toHaveLength(3)
  })

  test('[SKILL-4] keep the first skill’s references before the next one’s of the same size', () => {
    const two = [
      make({ strategy: 'comprehensive', references }),
      make({ name: 'b', strategy: 'comprehensive', references }),
    ]
    const fitted = fitAll(two, size(fitAll(two, 5000)) - 150)
    expect(fitted.map(({ cuts }) => cuts.length)).toEqual([0, 2])
  })

  test('then shrink the supporting ones to their description, the last first', () => {
    const long = [
      make({ body: lines(60) }),
      make({ name: 'b', body: lines(50) }),
      make({ name: 'c', body: lines(50) }),
    ]
    const fitted = fitAll(long, size(fitAll(long, 5000)) - 1)
    expect(fitted.map(({ text }) => text)).toEqual([lines(60), lines(50), 'what it is for'])
    expect(fitted[2]!.cuts).toEqual(['all but its description left out'])
  })

  test('keep Core Rules wherever they stand, and lines of the section that was cut last', () => {
    const rules = '## Core Rules\n\n- MUST keep this.\n\n'
    const body = `# A\n\n${lines(70)}\n\n${rules}## Details\n\n${lines(2000)}\n`
    const [only] = fitAll([make({ body })], 10_000)
    expect(only!.text).toContain(rules)
    expect(only!.text.endsWith('... [truncated for context budget]\n\n')).toBe(true)
    expect(only!.text.length).toBeGreaterThan(9_900)
    expect(only!.cuts).toEqual(['Details cut'])
  })

  test('take the first 50 lines where sections would keep less', () => {
    const body = `# A\n\n## Summary\n\n${lines(30)}\n\n## Core Rules\n\n${'x'.repeat(5000)}\n`
    const [only] = fitAll([make({ body })], 700)
    expect(only!.text).toContain('line 30')
  })

  test('keep the beginning of a skill that is one long line', () => {
    const [only] = fitAll([make({ body: 'word '.repeat(20_000) })], 10_000)
    expect(only!.text.length).toBeGreaterThan(9_900)
    expect(only!.text.endsWith('word\n... [truncated for context budget]')).toBe(true)
  })

  test('then only name the supporting ones, and cut the primary one by section', () => {
    const body = `## Summary\n\n${lines(60)}\n\n## Usage\n\n${lines(60)}`
    const skills = [
      make({ body, references, strategy: 'comprehensive' }),
      make({ name: 'b', body: lines(60) }),
    ]
    const [primary, supporting] = fitAll(skills, lines(60).length + 60)
    expect(supporting).toMatchObject({ text: 'what it is for', cuts: ['all but its description left out'] })
    expect(primary).toMatchObject({ strategy: 'standard', text: `## Summary\n\n${lines(60)}\n\n` })
    expect(primary!.cuts).toEqual(['3 reference files left out', 'Usage left out'])
  })

  test('name fewer of the supporting ones where even names are too much', () => {
    const many = Array.from({ length: 20 }, (_, i) => make({ name: `s${i}`, body: lines(60) }))
    const fitted = fitAll(many, 200)
    expect(size(fitted)).toBeLessThanOrEqual(200)
    expect(fitted[0]!.text).toContain('line 1\n')
    expect(fitted[1]!.text).toBe('what it is for')
    expect(fitted[19]).toMatchObject({ text: '', cuts: ['left out'] })
  })

  test('are nothing where there is no room at all', () => {
    expect(fitAll([make({ body: lines(60) })], 3)[0]!.text).toBe('')
    expect(fitAll([], 3)).toEqual([])
  })
})

describe('[BUDG-2] the estimate', () => {
  const body = 'The agent writes one file.\n'.repeat(100)

  test('asks for the tokenizer only where it cannot decide', () => {
    const tokens = exact(body)
    expect(fitSkills([make({ body })], tokens, estimateMeasure())).toBe('unsure')
    expect(fitSkills([make({ body })], tokens * 2, estimateMeasure())).toMatchObject([
      { text: body.trimEnd() },
    ])
    expect(fitSkills([make({ body })], tokens, exactMeasure(exact))).toMatchObject([{ text: body.trimEnd() }])
  })

  test('decides by itself what is far too long', () => {
    const [cut] = fitSkills([make({ body: body.repeat(20) })], 200, estimateMeasure()) as FittedSkill[]
    expect(cut!.cuts.length).toBeGreaterThan(0)
    expect(exact(cut!.text)).toBeLessThanOrEqual(200)
  })
})

/** Skills of all kinds. Some of them are full of text that no tokenizer was made for. */
const anySkill = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  strategy: fc.constantFrom(...strategies),
  body: fc.oneof(
    skill.map(({ text }) => text),
    odd,
    fc.tuple(skill, odd, odd).map(([{ text }, one, two]) => `${text}\n\n${one}\n\n## Notes\n\n${two}`),
  ),
  references: fc.array(fc.record({ path: fc.constantFrom('a.md', 'b.md', 'c.md'), text: odd }), {
    maxLength: 2,
  }),
  summary: fc.constantFrom('what it is for', 'a longer sentence on what it is for and when to take it'),
})

interface Outcome {
  fitted: number
  cut: number
  over: number
}

/** Counts how often the estimator decides, how often it cuts, and how often the real count is over the limit. */
const outcomes = (measure: Measure, numRuns: number): Outcome => {
  const outcome = { fitted: 0, cut: 0, over: 0 }
  const cases = fc.tuple(
    fc.array(anySkill, { minLength: 1, maxLength: 3 }),
    fc.double({ min: 0.02, max: 1.6, noNaN: true }),
  )
  for (const [skills, share] of fc.sample(cases, { numRuns, seed: 42 })) {
    const wanted = skills.reduce(
      (sum, { body, references }) => sum + estimate(body + references.map((r) => r.text).join('')),
      0,
    )
    const limit = Math.ceil(wanted * share)
    const fitted = fitSkills(skills, limit, measure, closing)
    if (fitted === 'unsure') continue
    outcome.fitted++
    if (fitted.some(({ cuts }) => cuts.length > 0)) outcome.cut++
    if (exact(fitted.map(({ text }) => text).join('\n\n')) > limit) outcome.over++
  }
  return outcome
}

test('[BUDG-2] [BUDG-3] over 1,000 generated cases no budget is exceeded by the real count', () => {
  const { fitted, cut, over } = outcomes(estimateMeasure(), 1000)
  expect(over).toBe(0)
  expect(fitted).toBeGreaterThan(400)
  expect(cut).toBeGreaterThan(200)
})

test('[BUDG-2] without the margin some would be', () => {
  const trusting: Measure = {
    ...estimateMeasure(),
    fits: (text, limit) => (estimate(text) <= limit ? 'yes' : 'no'),
  }
  expect(outcomes(trusting, 300).over).toBeGreaterThan(0)
})

test('[BUDG-2] where the estimate is unsure, the tokenizer never is', () => {
  const all = fc.sample(fc.array(anySkill, { minLength: 1, maxLength: 2 }), { numRuns: 100, seed: 3 })
  for (const [i, skills] of all.entries()) {
    const limit = 20 * (i + 1)
    const fitted = fitAll(skills, limit, exactMeasure(exact))
    expect(exact(fitted.map(({ text }) => text).join('\n\n'))).toBeLessThanOrEqual(limit)
  }
})
