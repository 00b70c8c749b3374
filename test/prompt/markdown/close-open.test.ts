import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closeOpen } from '../../../src/prompt/markdown/close-open.ts'
import { markdown } from './generated-markdown.ts'
import { referenceHeadings } from './reference.ts'

test('[BUDG-3] what is put behind a closed text is read as what it is', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      // HTML that only its own end ends is nothing a cut could leave open in a skill.
      fc.pre(!/<(script|pre|\?|!D|!\[)/.test(text))
      const closed = closeOpen(text)
      expect(closed.startsWith(text)).toBe(true)
      expect(referenceHeadings(`${closed}\n\n# behind`).at(-1)).toMatchObject({ title: 'behind', top: true })
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  ['```\ncode', '```\ncode\n```'],
  ['````js\n```\n', '````js\n```\n````\n'],
  ['- a\n  ~~~\n  code', '- a\n  ~~~\n  code\n  ~~~'],
  ['> 1. ```\n>    code\n', '> 1. ```\n>    code\n>    ```\n'],
  ['text <!-- inline', 'text <!-- inline'],
  ['<!-- note\n', '<!-- note\n-->\n'],
  ['```\ncode\n```\n', '```\ncode\n```\n'],
])('[BUDG-3] %j is closed where it is open', (text, closed) => {
  expect(closeOpen(text)).toBe(closed)
})
