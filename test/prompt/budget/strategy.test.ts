import { describe, expect, test } from 'vitest'
import { chooseStrategy, type StrategyFacts, strategyText } from '../../../src/prompt/budget/strategy.ts'

const ordinary: StrategyFacts = {
  budgetPerSkill: 15_000,
  labels: [],
  size: 'medium',
  type: 'task',
  depends: 0,
}
const choose = (special: Partial<StrategyFacts>) => {
  const { strategy, rule } = chooseStrategy({ ...ordinary, ...special })
  return `${strategy}: ${rule}`
}

describe('[SKILL-5] the strategy is chosen by the first rule that applies', () => {
  /** Each rule is overruled by all rules above it. */
  const rules: [Partial<StrategyFacts>, string][] = [
    [{ requested: 'comprehensive' }, 'comprehensive: requested'],
    [{ contextUsed: 71 }, 'minimal: more than 70 % of the context used'],
    [{ budgetPerSkill: 799 }, 'minimal: fewer than 800 tokens per skill'],
    [{ budgetPerSkill: 2_999 }, 'standard: fewer than 3,000 tokens per skill'],
    [{ labels: ['api', 'simple'] }, 'minimal: label simple'],
    [{ size: 'small' }, 'minimal: size small'],
    [{ type: 'epic' }, 'comprehensive: type epic'],
    [{ depends: 4 }, 'comprehensive: more than 3 dependencies'],
    [{ size: 'large' }, 'comprehensive: size large'],
    [{}, 'standard: default'],
  ]

  test.each(rules)('%o', (special, decided) => {
    expect(choose(special)).toBe(decided)
  })

  test('whatever would come later', () => {
    for (const [i, [special, decided]] of rules.entries())
      for (const [later] of rules.slice(i + 1)) expect(choose({ ...later, ...special })).toBe(decided)
  })

  test('a limit is not passed by what is on it', () => {
    expect(choose({ contextUsed: 70 })).toBe(choose({}))
    expect(choose({ budgetPerSkill: 800 })).toBe('standard: fewer than 3,000 tokens per skill')
    expect(choose({ budgetPerSkill: 3_000 })).toBe(choose({}))
    expect(choose({ depends: 3 })).toBe(choose({}))
  })
})

const skill = {
  body: Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join('\n'),
  references: [
    { path: 'references/z.md', text: '# Z\n' },
    { path: 'references/a.md', text: '# A\n' },
  ],
}

describe('[SKILL-4] a strategy takes', () => {
  test('minimal: the first 50 lines of the body', () => {
    const text = strategyText(skill, 'minimal')
    expect(text.startsWith('line 1\n')).toBe(true)
    expect(text.endsWith('\nline 50')).toBe(true)
  })

  test('minimal: no half of a code block or of a fence', () => {
    const body = `<data-1 from="x">\n\n${'a\n'.repeat(46)}\`\`\`\ncode\ncode\n\`\`\`\n</data-1>\nmore`
    const closing = { open: '<data-1', close: '</data-1>' }
    expect(strategyText({ ...skill, body }, 'minimal', closing)).toMatch(/\n```\ncode\n```\n<\/data-1>$/)
  })

  test('standard: all of SKILL.md', () => {
    expect(strategyText(skill, 'standard')).toBe(skill.body)
  })

  test('comprehensive: the references too, by path, each under its heading', () => {
    expect(strategyText(skill, 'comprehensive')).toBe(
      `${strategyText(skill, 'standard')}\n\n#### references/a.md\n\n# A\n\n#### references/z.md\n\n# Z`,
    )
  })
})
