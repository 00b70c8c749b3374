import { describe, expect, test } from 'vitest'
import { type Atom, atomKinds, parseAtoms } from '../../src/evidence/atoms.ts'
import { toolNames } from '../../src/kernel/config-words.ts'
import fc, { runs } from '../support/properties.ts'

const atomsOf = (text: string): Atom[] => {
  const { atoms, problems } = parseAtoms(text)
  expect(problems).toEqual([])
  return atoms
}

describe('parsing evidence', () => {
  test('[GATE-3] reads every kind, separated by semicolons', () => {
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
    ['src/a.ts', 'is not evidence'],
    ['fles:a', 'did you mean files:?'],
    ['commit:', 'names no commit'],
    ['commit:<sha>', 'names no commit'],
    ['commit:--upload-pack=sh', 'is not a valid commit name'],
    ['commit:-x', 'is not a valid commit name'],
    ['commit:a b', 'is not a valid commit name'],
    ['commit:a\u0000b', 'is not a valid commit name'],
    ['commit:$(id)', 'is not a valid commit name'],
    ['files:', 'names no file'],
    ['files:,,', 'names no file'],
    ['files:<paths>', 'names no file'],
    ['tool:tests', 'did you mean tool:test?'],
    ['tool:rm', 'is not a tool'],
    ['tool:', 'is not a tool'],
    ['test-run:', 'names no report file'],
    ['url:http://a.example', 'is not an address'],
    ['url:https://user:pw@a.example', 'is not an address'],
    ['url:javascript:alert(1)', 'is not an address'],
    ['note:', 'is empty'],
    ['note:<text>', 'is empty'],
    [`note:${'x'.repeat(20_000)}`, 'is limited to'],
    [`files:${Array.from({ length: 201 }, (_, i) => `a${i}`).join(',')}`, 'names over 200 files'],
    [Array.from({ length: 51 }, (_, i) => `note:${i}`).join(';'), 'is limited to 50 pieces'],
  ])('[GATE-3] %j is refused', (text, why) => {
    expect(
      parseAtoms(text)
        .problems.map(({ message }) => message)
        .join(),
    ).toContain(why)
  })

  test('[GATE-3] all problems are reported at once', () => {
    const { problems } = parseAtoms('commit:-x;files:;tool:rm;url:ftp://x;nonsense')
    expect(problems.map(({ path }) => path)).toEqual([
      'commit:-x',
      'files:',
      'tool:rm',
      'url:ftp://x',
      'nonsense',
    ])
  })

  test('[GATE-3] parsing never throws, and returns atoms or problems', () => {
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
      { numRuns: runs(10_000) },
    )
  })
})
