import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demote } from '../../src/markdown/headings.ts'
import { markdown } from './generated-markdown.ts'
import { referenceCode, referenceHeadings } from './reference.ts'

test('[SPAWN-5] every heading is lowered by the given levels and keeps its words', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 5 }), (text, by) => {
      const before = referenceHeadings(text)
      const after = referenceHeadings(demote(text, by))
      expect(after.map(({ level, top }) => ({ level, top }))).toEqual(
        before.map(({ level, top }) => ({ level: Math.min(6, level + by), top })),
      )
      expect(after.map(({ title }) => flat(title))).toEqual(before.map(({ title }) => flat(title)))
      expect(referenceCode(demote(text, by))).toEqual(referenceCode(text))
    }),
    { numRuns: 3_000 },
  )
})

const flat = (title: string) => title.replace(/\s+/g, ' ').trim()

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
  expect(demote(skill, 3).match(/^ *##? .*$/gm)).toBe(null)
  expect(demote(skill, 3)).toBe(
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
  expect(demote('C#\n==', 1)).toBe('## C# #')
  expect(referenceHeadings(demote('C #\n===', 1))).toMatchObject([{ level: 2, title: 'C #' }])
})
