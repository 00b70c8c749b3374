import { describe, expect, test } from 'vitest'
import { criterionLine, gateLine } from '../../src/evidence/verify-line.ts'
import fc, { runs } from '../support/properties.ts'
import { shellWords } from '../support/shell-words.ts'

describe('the cleo verify lines', () => {
  const facts = { task: 'T012', files: ['src/a.ts'], git: true }

  test('[GATE-4] name the evidence given before, else declared files and available tools', () => {
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

  test('[GATE-4] are safe in a shell, whatever a file is called', () => {
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
      { numRuns: runs(10_000) },
    )
  })
})
