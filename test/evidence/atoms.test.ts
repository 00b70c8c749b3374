import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Atom, atomKinds, parseAtoms } from '../../src/evidence/atoms.ts'
import { contradicted, countsIn } from '../../src/evidence/counts.ts'
import { criterionLine, gateLine } from '../../src/evidence/lines.ts'
import { toolsFor, unfitFor, unfitForCriterion } from '../../src/evidence/proofs.ts'
import { toolNames } from '../../src/kernel/config-words.ts'
import { gates } from '../../src/kernel/protocol.ts'
import { shellWords } from '../support/shell-words.ts'

const terms = { git: true, reports: false }
const atomsOf = (text: string): Atom[] => {
  const { atoms, problems } = parseAtoms(text)
  expect(problems).toEqual([])
  return atoms
}

describe('what evidence is made of', () => {
  test('[GATE-3] every kind is read, several with a semicolon between them', () => {
    const text =
      'commit:3f0c2ab; files:src/a.ts, test/a.test.ts ,src/a.ts;TOOL:Test;test-run:out/r.xml;url:https://a.example/x;note:all clean; nothing left'
    expect(atomsOf(text)).toEqual([
      { kind: 'commit', ref: '3f0c2ab' },
      { kind: 'files', paths: ['src/a.ts', 'test/a.test.ts'] },
      { kind: 'tool', tool: 'test' },
      { kind: 'test-run', path: 'out/r.xml' },
      { kind: 'url', url: 'https://a.example/x' },
      { kind: 'note', text: 'all clean; nothing left' },
    ])
  })

  test.each([
    ['', 'is empty'],
    [';;', 'is empty'],
    ['src/a.ts', 'is no evidence'],
    ['fles:a', 'did you mean files:?'],
    ['commit:', 'names no commit'],
    ['commit:<sha>', 'names no commit'],
    ['commit:--upload-pack=sh', 'is no name of a commit'],
    ['commit:-x', 'is no name of a commit'],
    ['commit:a b', 'is no name of a commit'],
    ['commit:a\u0000b', 'is no name of a commit'],
    ['commit:$(id)', 'is no name of a commit'],
    ['files:', 'names no file'],
    ['files:,,', 'names no file'],
    ['files:<paths>', 'names no file'],
    ['tool:tests', 'did you mean tool:test?'],
    ['tool:rm', 'there is no such tool'],
    ['tool:', 'there is no such tool'],
    ['test-run:', 'names no report file'],
    ['url:http://a.example', 'is no address'],
    ['url:https://user:pw@a.example', 'is no address'],
    ['url:javascript:alert(1)', 'is no address'],
    ['note:', 'says nothing'],
    ['note:<text>', 'says nothing'],
    [`note:${'x'.repeat(20_000)}`, 'is limited to'],
    [`files:${Array.from({ length: 201 }, (_, i) => `a${i}`).join(',')}`, 'at most 200 files'],
    [Array.from({ length: 51 }, (_, i) => `note:${i}`).join(';'), 'at most 50 pieces'],
  ])('[GATE-3] %j is refused', (text, why) => {
    expect(
      parseAtoms(text)
        .problems.map(({ message }) => message)
        .join(),
    ).toContain(why)
  })

  test('[GATE-3] everything that is wrong is told at once', () => {
    const { problems } = parseAtoms('commit:-x;files:;tool:rm;url:ftp://x;nonsense')
    expect(problems.map(({ path }) => path)).toEqual([
      'commit:-x',
      'files:',
      'tool:rm',
      'url:ftp://x',
      'nonsense',
    ])
  })

  test('[GATE-3] reading never throws, and what it takes it takes again', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...atomKinds).chain((kind) => fc.string().map((value) => `${kind}:${value}`)),
      fc.constantFrom('commit:HEAD~2', 'files:a,b', 'tool:lint', 'note:x', 'url:https://x.example'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const { atoms, problems } = parseAtoms(pieces.join(';'))
        expect(atoms.length + problems.length).toBeGreaterThan(0)
        for (const atom of atoms) {
          if (atom.kind === 'commit') expect(atom.ref).toMatch(/^[\w@]/)
          if (atom.kind === 'files') expect(atom.paths.length).toBeGreaterThan(0)
          if (atom.kind === 'tool') expect(toolNames).toContain(atom.tool)
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('what proves a gate', () => {
  const good: Record<(typeof gates)[number], string> = {
    implemented: 'commit:HEAD;files:a',
    testsPassed: 'tool:test',
    qaPassed: 'tool:typecheck',
    cleanupDone: 'note:done',
    securityPassed: 'tool:audit',
    documented: 'url:https://a.example',
  }

  test('[GATE-3] the right kinds do', () => {
    for (const gate of gates) expect(unfitFor(gate, atomsOf(good[gate]), terms), gate).toEqual([])
    expect(unfitFor('securityPassed', atomsOf('note:looked'), terms)).toEqual([])
    expect(unfitFor('implemented', atomsOf('files:a'), { ...terms, git: false })).toEqual([])
  })

  test.each([
    ['implemented', 'files:a', 'commit:<sha> together with files:<paths> proves it'],
    ['implemented', 'commit:HEAD', 'commit:<sha> together with files:<paths> proves it'],
    ['implemented', 'note:done', 'commit:<sha> together with files:<paths> proves it'],
    ['testsPassed', 'note:green', 'only tool:test proves it'],
    ['testsPassed', 'files:a', 'only tool:test proves it'],
    ['testsPassed', 'test-run:r.xml', 'anybody can write a report'],
    ['qaPassed', 'tool:test', 'tool:lint or tool:typecheck or tool:build proves it'],
    ['documented', 'note:x', 'files:<paths> or url:<https…> proves it'],
    ['securityPassed', 'tool:lint', 'tool:audit or note:<text> proves it'],
    ['cleanupDone', 'files:a', 'note:<what was cleaned up> proves it'],
  ] as const)('[GATE-3] %s is not proved by %s', (gate, text, why) => {
    expect(
      unfitFor(gate, atomsOf(text), terms)
        .map(({ message }) => message)
        .join(),
    ).toContain(why)
  })

  test('[GATE-3] the kind of tool matters: lint never proves tests', () => {
    for (const gate of gates)
      for (const tool of toolNames) {
        const proves = toolsFor[gate]?.includes(tool) ?? false
        expect(unfitFor(gate, [{ kind: 'tool', tool }], terms).length === 0, `${gate} by ${tool}`).toBe(
          proves,
        )
      }
    expect(toolsFor.testsPassed, 'what proves tests').toEqual(['test'])
  })

  test('[GATE-3] a report counts only where the configuration says so', () => {
    const report = atomsOf('test-run:r.xml')
    expect(unfitFor('testsPassed', report, { ...terms, reports: true })).toEqual([])
    expect(unfitForCriterion(report, terms)).toHaveLength(1)
    // Not even beside something better: it would be on record as seen.
    expect(unfitFor('testsPassed', atomsOf('tool:test;test-run:r.xml'), terms)).toHaveLength(1)
  })

  test('[GATE-6] a bare note proves no criterion', () => {
    expect(unfitForCriterion(atomsOf('note:it works;url:https://a.example'), terms)).toHaveLength(1)
    for (const text of ['files:a', 'commit:HEAD', 'tool:test', 'files:a;note:see line 3'])
      expect(unfitForCriterion(atomsOf(text), terms), text).toEqual([])
  })
})

describe('the lines to run', () => {
  const facts = { task: 'T012', files: ['src/a.ts'], git: true }

  test('[GATE-4] name what was given before, and what is there to be given', () => {
    const files = [{ path: 'src/b.ts', sha256: '' }]
    expect(gateLine(facts, 'implemented')).toBe(
      'cleo verify T012 --gate implemented --evidence "commit:HEAD;files:src/a.ts"',
    )
    expect(gateLine({ ...facts, as: 'T012.1' }, 'implemented', [{ kind: 'files', files }])).toBe(
      'cleo verify T012 --gate implemented --evidence "commit:HEAD;files:src/b.ts" --as T012.1',
    )
    expect(gateLine({ ...facts, tools: ['build'] }, 'qaPassed')).toContain('"tool:build"')
    expect(gateLine({ ...facts, git: false }, 'implemented')).toContain('"files:src/a.ts"')
  })

  test('[GATE-4] hold nothing a shell would act on, whatever a file is called', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((path) => !/[\u0000-\u001f]/.test(path)),
        (path) => {
          const seen = [{ kind: 'files' as const, files: [{ path, sha256: '' }] }]
          for (const line of [gateLine(facts, 'implemented', seen), criterionLine(facts, 1, seen)]) {
            const words = shellWords(line)
            const atoms = words[words.indexOf('--evidence') + 1]
            expect(atoms).toBe(`${line.includes('--gate') ? 'commit:HEAD;' : ''}files:${path}`)
            expect(words).toHaveLength(7)
          }
        },
      ),
      { numRuns: 10_000 },
    )
  })
})

describe('what a test program counted', () => {
  test.each([
    ['      Tests  1 failed | 12 passed (13)\n Test Files  1 passed (1)', 12, 1, 0],
    ['Test Suites: 2 passed, 2 total\nTests:       1 skipped, 9 passed, 10 total', 9, 0, 1],
    ['==== 3 failed, 9 passed, 2 skipped in 0.42s ====', 9, 3, 2],
    ['# tests 4\n# pass 3\n# fail 1\n# skipped 0', 3, 1, 0],
    ['ℹ tests 4\nℹ pass 4\nℹ fail 0', 4, 0, 0],
    [
      'test result: ok. 5 passed; 0 failed; 1 ignored\n\ntest result: ok. 2 passed; 0 failed; 0 ignored',
      7,
      0,
      1,
    ],
    ['  12 passing (30ms)\n  1 pending', 12, 0, 1],
    ['\u001b[32m      Tests \u001b[39m \u001b[1m2 passed\u001b[22m (2)', 2, 0, 0],
  ])('[GATE-3] %j', (output, passed, failed, skipped) => {
    expect(countsIn(output)).toEqual({ passed, failed, skipped })
  })

  test('[GATE-3] nothing is made up where it did not say', () => {
    for (const output of ['', 'ok', 'we have 12 passed exams in the archive', 'PASS src/a.test.ts'])
      expect(countsIn(output), output).toBeUndefined()
  })
})

describe('sums that say otherwise than the exit', () => {
  test.each([
    ['0 passed', 'it says that it ran 0 tests'],
    ['# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0', 'it says that it ran 0 tests'],
    ['Tests: 3 failed, 1 passed, 4 total', 'it says 3 failed, 1 passed'],
    ['  3 passing (5ms)\n  1 failing\n\n  1) adds', 'it says 1 failed, 3 passed'],
    ['# tests 3\n# suites 0\n# pass 1\n# fail 2', 'it says 2 failed, 1 passed'],
    ['No test files found, exiting with code 0', 'it found no tests'],
  ])('[GATE-3] %j', (output, why) => {
    expect(contradicted(output)).toBe(why)
  })

  test.each([
    'ok',
    '0 errors',
    '✖ 0 problems (0 errors, 0 warnings)',
    '2 errors were expected\n12 passed',
    'Tests  1 failed | 2 passed (3)\nthat was to be seen\nTests  12 passed (12)',
    'test result: ok. 12 passed; 0 failed; 0 ignored\n\n   Doc-tests a\n\ntest result: ok. 0 passed; 0 failed',
    '# tests 2\n# pass 0\n# fail 0\n# skipped 2',
  ])('[GATE-3] nothing for certain: %j', (output) => {
    expect(contradicted(output)).toBeUndefined()
  })
})
