import { describe, expect, test } from 'vitest'
import { type Atom, parseAtoms } from '../../src/evidence/atoms.ts'
import { criterionProblems, gateProblems } from '../../src/evidence/gate-rules.ts'
import { toolNames } from '../../src/kernel/config-words.ts'
import { gates, toolsFor } from '../../src/kernel/protocol.ts'

const terms = { git: true, reports: false }
const atomsOf = (text: string): Atom[] => {
  const { atoms, problems } = parseAtoms(text)
  expect(problems).toEqual([])
  return atoms
}

describe('the evidence each gate accepts', () => {
  const good: Record<(typeof gates)[number], string> = {
    implemented: 'commit:HEAD;files:a',
    testsPassed: 'tool:test',
    qaPassed: 'tool:typecheck',
    cleanupDone: 'note:done',
    securityPassed: 'tool:audit',
    documented: 'url:https://a.example',
  }

  test('[GATE-3] each gate accepts its kinds of evidence', () => {
    for (const gate of gates) expect(gateProblems(gate, atomsOf(good[gate]), terms), gate).toEqual([])
    expect(gateProblems('securityPassed', atomsOf('note:looked'), terms)).toEqual([])
    expect(gateProblems('implemented', atomsOf('files:a'), { ...terms, git: false })).toEqual([])
  })

  test.each([
    ['implemented', 'files:a', 'commit:HEAD together with files:<paths> proves it'],
    ['implemented', 'commit:HEAD', 'commit:HEAD together with files:<paths> proves it'],
    ['implemented', 'note:done', 'commit:HEAD together with files:<paths> proves it'],
    ['testsPassed', 'note:green', 'only tool:test proves it'],
    ['testsPassed', 'files:a', 'only tool:test proves it'],
    ['testsPassed', 'test-run:r.xml', 'an agent could write a report itself'],
    ['qaPassed', 'tool:test', 'tool:lint or tool:typecheck or tool:build proves it'],
    ['documented', 'note:x', 'files:<paths> or url:<https…> proves it'],
    ['securityPassed', 'tool:lint', 'tool:audit or note:<text> proves it'],
    ['cleanupDone', 'files:a', 'note:<what was cleaned up> proves it'],
  ] as const)('[GATE-3] %s is not proved by %s', (gate, text, why) => {
    expect(
      gateProblems(gate, atomsOf(text), terms)
        .map(({ message }) => message)
        .join(),
    ).toContain(why)
  })

  test('[GATE-3] the kind of tool matters: lint never proves tests', () => {
    for (const gate of gates)
      for (const tool of toolNames) {
        const proves = toolsFor[gate]?.includes(tool) ?? false
        expect(gateProblems(gate, [{ kind: 'tool', tool }], terms).length === 0, `${gate} by ${tool}`).toBe(
          proves,
        )
      }
    expect(toolsFor.testsPassed, 'what proves tests').toEqual(['test'])
  })

  test('[GATE-3] a report counts only if the configuration says so', () => {
    const report = atomsOf('test-run:r.xml')
    expect(gateProblems('testsPassed', report, { ...terms, reports: true })).toEqual([])
    expect(criterionProblems(report, terms)).toHaveLength(1)
    // A report is refused even beside tool:test. Otherwise its counts would be recorded as if CLEO had observed
    // them.
    expect(gateProblems('testsPassed', atomsOf('tool:test;test-run:r.xml'), terms)).toHaveLength(1)
  })

  test('[GATE-6] a bare note proves no criterion', () => {
    expect(criterionProblems(atomsOf('note:it works;url:https://a.example'), terms)).toHaveLength(1)
    for (const text of ['files:a', 'commit:HEAD', 'tool:test', 'files:a;note:see line 3'])
      expect(criterionProblems(atomsOf(text), terms), text).toEqual([])
  })
})
