import { expect, test } from 'vitest'
import { entriesIn, fieldsOf, headOf, proseOf, sectionOf } from '../../../src/compliance/rules/output-text.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import fc, { runs } from '../../support/properties.ts'

test('[PROT-1] a section is found by its name, whatever its number and marks', () => {
  for (const heading of ['## Scope', '# 2. Scope', '### 1.2 **Scope**:', 'Scope\n=====', '## `scope`'])
    expect(sectionOf(`# T\n\n${heading}\n\nAll of it.\n\n## Next\n`, ['scope']), heading).toContain(
      'All of it.',
    )
  expect(sectionOf('# T\n\n```\n## Scope\n```\n', ['scope'])).toBeUndefined()
  expect(sectionOf('## Scope\n<!-- to be filled in -->\n', ['scope'])).toBe('')
  expect(sectionOf('## Scopes\n\nx\n', ['scope'])).toBeUndefined()
})

test('[PROT-1] fields of the head are found in lists, tables and lines', () => {
  const head = '# T\n\n- **Version**: 1.0\n| Status | draft |\n> version 2\nVersions: many\n'
  expect(fieldsOf(head, 'version')).toEqual(['1.0', '2'])
  expect(fieldsOf(head, 'status')).toEqual(['draft'])
  expect(headOf('# T\n\nVersion: 1\n\n## A\n\nVersion: 2\n')).toBe('# T\n\nVersion: 1\n\n')
  expect(proseOf('a MUST\n\n```\nMUST\n```\n\nb\n')).not.toContain('MUST\n```')
})

test('[PROT-1] what a skeleton left open is no entry', () => {
  expect(entriesIn('- a.ts\n* [1] b\n3) RFC 1\n[7]: https://a.b\n| x.md | why |')).toBe(5)
  expect(entriesIn('- <source>\n-\n- …\n|---|---|\n- none\n- TBD\nplain text\n')).toBe(0)
})

test('[PROT-1] reading an output file is linear, whatever is in it', () => {
  const read = (text: string) => [
    sectionOf(text, ['scope']),
    headOf(text),
    proseOf(text),
    entriesIn(text),
    fieldsOf(text, 'version'),
  ]
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => read(text).length === 5),
    { numRuns: runs(10_000) },
  )
  const took = cpuTime(() => {
    for (const piece of ['- <', '<!--', '# ', '```\n', '|', '* * ', '\n- a'])
      read(piece.repeat(Math.floor(100_000 / piece.length)))
  })
  // In quadratic time this would take minutes.
  expect(took).toBeLessThan(20_000)
})
