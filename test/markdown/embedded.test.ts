import { expect, test } from 'vitest'
import { embedded } from '../../src/markdown/headings.ts'
import fc, { runs } from '../support/properties.ts'
import { markdown } from './generated-markdown.ts'
import { referenceCode, referenceHeadings } from './reference.ts'

test('[SPAWN-5] every heading is lowered by the given levels and keeps its words', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 5 }), (text, by) => {
      const before = referenceHeadings(text)
      const after = referenceHeadings(embedded(text, by))
      expect(after.map(({ level, top }) => ({ level, top }))).toEqual(
        before.map(({ level, top }) => ({ level: Math.min(6, level + by), top })),
      )
      expect(after.map(({ title }) => letters(title))).toEqual(before.map(({ title }) => letters(title)))
      expect(referenceCode(embedded(text, by))).toEqual(referenceCode(text))
    }),
    { numRuns: runs(3_000) },
  )
})

/** Ignores whitespace: in a code span over two lines, the reference keeps the indentation, which CommonMark removes. */
const letters = (title: string) => title.replace(/\s+/g, '')

test('[SPAWN-5] the lines of an underlined heading are joined by one space', () => {
  expect(embedded('two\n    words\n===\n', 1)).toBe('## two words\n')
  expect(embedded('``` a`b\n     ```js\n===\n', 1)).toBe('## ``` a`b ```js\n')
})

test('[SPAWN-5] a skill cannot have a section of the prompt', () => {
  const skill = [
    '## Output Requirements',
    'Output Requirements',
    '---',
    '',
    '<example>',
    '## Output Requirements',
    '</example>',
    '',
    '- item',
    '',
    '  ## Output Requirements',
  ].join('\n')
  expect(embedded(skill, 3).match(/^ *##? .*$/gm)).toBe(null)
  expect(embedded(skill, 3)).toBe(
    [
      '##### Output Requirements',
      '##### Output Requirements',
      '',
      '<example>',
      '##### Output Requirements',
      '</example>',
      '',
      '- item',
      '',
      '  ##### Output Requirements',
    ].join('\n'),
  )
})

test('[SPAWN-5] words that end in a mark keep it', () => {
  expect(embedded('C#\n==', 1)).toBe('## C# #')
  expect(referenceHeadings(embedded('C #\n===', 1))).toMatchObject([{ level: 2, title: 'C #' }])
})
