import { expect, test } from 'vitest'
import { protocols } from '../../src/kernel/protocol.ts'
import { estimateMeasure, exactMeasure, loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { strategies } from '../../src/prompt/budget/strategy.ts'
import { fenceWith } from '../../src/prompt/data-fence.ts'
import { fitPrompt, type PromptDraft } from '../../src/prompt/fit-prompt.ts'
import { taskContext } from '../../src/prompt/task-context.ts'
import fc from '../support/properties.ts'

const nonce = '0123abcd'
const words = fc.constantFrom(
  ...[
    'the form',
    'stores',
    'a hash,',
    'never',
    '{"key":1}',
    'aGVsbG8gd29ybGQ',
    'f3a9c17be',
    '東京都の天気',
    '🎉🧪',
    '— Größe',
  ],
  ...[
    '```',
    '## Summary\n\nIn short.',
    '## Core Rules\n\n- One.',
    '## Examples',
    '## Appendix',
    '\n\n',
    '\n- item ',
  ],
)
const text = (most: number) =>
  fc.array(words, { minLength: 1, maxLength: most }).map((pieces) => pieces.join(' '))

const skill = fc.record({
  name: fc.constantFrom('one', 'two', 'three'),
  version: fc.constant('1.0.0'),
  description: text(10),
  folder: fc.constant('/project/skills/one'),
  strategy: fc.constantFrom(...strategies),
  frontMatter: fc.constant('name: one\n'),
  body: text(600),
  references: fc.array(fc.record({ path: fc.constantFrom('a.md', 'b.md', 'c.md'), text: text(300) }), {
    maxLength: 3,
  }),
})

const draft: fc.Arbitrary<PromptDraft> = fc
  .record({
    title: text(4),
    description: text(200),
    criteria: fc.array(text(6), { maxLength: 8 }),
    findings: fc.array(fc.array(text(60), { maxLength: 6 }), { maxLength: 5 }),
    skills: fc.array(skill, { maxLength: 3 }),
    protocol: fc.constantFrom(...protocols),
    tier: fc.constantFrom(0 as const, 1 as const, 2 as const),
    limits: fc.record({
      total: fc.integer({ min: 2000, max: 12_000 }),
      protocol: fc.constant(2000),
      task: fc.integer({ min: 200, max: 3000 }),
      skills: fc.integer({ min: 700, max: 4000 }),
    }),
  })
  .map(({ title, description, criteria, findings, skills, protocol, tier, limits }) => ({
    facts: {
      spawnId: 'T004.1',
      task: {
        ...{ id: 'T004', title, description, type: 'task', size: 'medium', priority: 'high' },
        ...{ labels: [], files: [], notes: [], criteria: criteria.map((text, i) => ({ n: i + 1, text })) },
      },
      epic: { id: 'T001', title: 'Accounts' },
      depends: findings.map((_, i) => ({ id: `T01${i}`, status: 'done' as const })),
      findings: findings.map((lines, i) => ({
        task: `T01${i}`,
        entry: `T01${i}-x`,
        status: 'complete',
        lines,
      })),
      ...{ protocol, stage: protocol, tier, gates: ['documented'], commands: {}, git: true },
      paths: {
        ...{
          root: '/project',
          work: '/project',
          output: '/project/out',
          manifest: '/project/out/MANIFEST.jsonl',
          outputFile: 'claudedocs/agent-outputs/T003-sign-up-form.md',
        },
        ...{ workspace: '/project/.cleo/rcasd/T001', testRuns: '/project/.cleo/test-runs' },
      },
    } as PromptDraft['facts'],
    nonce,
    protocols: ['Base rules stand here.', 'And those of one protocol.'],
    skills,
    limits,
    pathOf: () => '/project/.cleo/cache/x.md',
  }))

/** Removes the marks of headings, because a prompt changes their level. */
const withoutMarks = (text: string): string => text.replace(/^ *#+ /gm, '')

test('[BUDG-2] [BUDG-4] no budget is exceeded by the exact count, in a thousand prompts of all kinds', async () => {
  const count = await loadTokenizer()
  const seen = { estimate: 0, exact: 0, over: 0, cut: 0 }
  fc.assert(
    fc.property(draft, (one) => {
      const first = fitPrompt(one, estimateMeasure())
      const fitted = first === 'unsure' ? fitPrompt(one, exactMeasure(count)) : first
      if (fitted === 'unsure') throw new Error('the exact count was unsure')
      seen[first === 'unsure' ? 'exact' : 'estimate']++
      if (fitted.over) seen.over++
      else expect(count(fitted.prompt)).toBeLessThanOrEqual(one.limits.total * 0.7)
      const { budget, prompt, companion } = fitted
      if (budget.some(({ cut }) => cut)) seen.cut++
      const skills = (companion ?? prompt)
        .split('## Skill Context\n')
        .at(-1)!
        .split('\n## Output Requirements')[0]!
      if (one.skills.length > 0) expect(count(skills)).toBeLessThanOrEqual(one.limits.skills)
      const kept = one.facts.findings.filter(({ task }) => prompt.includes(`What ${task} found`))
      const context = taskContext({ ...one.facts, findings: kept }, undefined, fenceWith(nonce))
      if (kept.length > 0) expect(count(context)).toBeLessThanOrEqual(one.limits.task)
      const { description, criteria } = one.facts.task
      for (const text of [description, ...criteria.map((each) => each.text)])
        expect(withoutMarks(prompt)).toContain(withoutMarks(text).trimEnd())
    }),
    { numRuns: 1000 },
  )
  console.log(`1,000 prompts: ${JSON.stringify(seen)}`)
  expect(seen.estimate).toBeGreaterThan(100)
  expect(seen.exact).toBeGreaterThan(50)
  expect(seen.cut).toBeGreaterThan(100)
})
