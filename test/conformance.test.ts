import { describe, expect, test } from 'vitest'
import { chapters, type Rule, rules } from '../conformance/rules.ts'
import { allProofs, conformancePage, gaps, proofsIn } from '../scripts/conformance.ts'

const rule = (id: string, state: Rule['state']): Rule => ({ id, says: 'It holds.', state })
// Puts the brackets around a rule id. Written out in this file, the id would count as a proof.
const named = (id: string) => `[${id}]`

describe('the list of rules', () => {
  test('has every id once, in a known chapter, counted from 1', () => {
    for (const chapter of Object.keys(chapters)) {
      const own = rules.filter(({ id }) => id.startsWith(`${chapter}-`)).map(({ id }) => id)
      expect(own).toEqual(Array.from({ length: own.length }, (_, i) => `${chapter}-${i + 1}`))
      expect(own.length).toBeGreaterThan(0)
    }
    const known = rules.filter(({ id }) => Object.hasOwn(chapters, id.split('-')[0]!))
    expect(known).toHaveLength(rules.length)
  })

  test('has no test for an unknown rule', () => {
    expect(gaps(rules, allProofs()).filter((gap) => gap.includes('is no rule'))).toEqual([])
  })
})

describe('a proof', () => {
  test('is a test whose title names the rule', () => {
    const text = `test('${named('TASK-6')} ${named('ORCH-2')} cycles are refused', () => {})`
    expect(proofsIn('test/a.test.ts', text)).toEqual([
      { rule: 'TASK-6', title: 'cycles are refused', file: 'test/a.test.ts' },
      { rule: 'ORCH-2', title: 'cycles are refused', file: 'test/a.test.ts' },
    ])
  })

  test('is a heading of a transcript that names it', () => {
    const text = `# ${named('TASK-6')} a cycle\n$ cleo list\n${named('TASK-7')}\n[exit 4]`
    expect(proofsIn('test/cli/a.txt', text)).toEqual([
      { rule: 'TASK-6', title: 'a cycle', file: 'test/cli/a.txt' },
    ])
  })

  test('is not a comment', () => {
    expect(proofsIn('test/a.test.ts', `// ${named('TASK-6')} 'some day'`)).toEqual([])
  })
})

describe('gaps', () => {
  const proof = { rule: 'TASK-6', title: 'cycles are refused', file: 'test/a.test.ts' }

  test.each(['built', 'partly'] as const)('a rule marked %s without a test is reported', (state) => {
    expect(gaps([rule('TASK-6', state), rule('TASK-99', state)], [proof])).toEqual([
      `TASK-99 is marked ${state}, and no test names it`,
    ])
  })

  test('a rule that is coming needs no test', () => {
    expect(gaps([rule('TASK-6', 'built'), rule('TASK-99', 'coming')], [proof])).toEqual([])
  })

  test('a test that names no rule is reported', () => {
    expect(gaps([rule('TASK-1', 'coming')], [proof])).toEqual([
      'test/a.test.ts names TASK-6, which is no rule',
    ])
  })
})

test('the page shows each rule with its state and its tests', () => {
  const proof = { rule: 'TASK-1', title: 'fields come back', file: 'test/a.test.ts' }
  const page = conformancePage([rule('TASK-1', 'built'), rule('TASK-2', 'coming')], [proof])
  expect(page).toContain('2 rules: 1 built, 0 partly, 1 coming')
  expect(page).toContain('**TASK-1** · built')
  expect(page).toContain('- [test/a.test.ts](../test/a.test.ts)\n  - fields come back')
})
