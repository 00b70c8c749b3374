import { expect, test } from 'vitest'
import { checkForm } from '../../src/output/check-form.ts'
import { outputTemplate } from '../../src/output/template.ts'
import { whyUnfilled } from '../../src/output/unfilled.ts'

const about = { title: 'Sign-up form', task: 'T012', epic: 'T001', date: '2026-01-31' }
const blank = outputTemplate(about)
const filled = blank.replace('draft', 'complete').replaceAll(/^## (\w+)$/gm, '## $1\n\nSome words.')
const findings = (text: string, expected: Parameters<typeof checkForm>[2] = about) =>
  checkForm('x.md', text, expected).map(({ line, message }) => `${line ?? '-'}: ${message}`)

test('[MANI-6] the template is missing only what must be filled in', () => {
  expect(findings(blank)).toEqual([
    '6: has "Status: draft"; set complete, partial or blocked',
    '8: "## Summary" is still empty',
    '11: "## Content" is still empty',
    '14: "## References" is still empty',
  ])
  expect(findings(filled)).toEqual([])
})

test.each<[string, string, { task: string }?]>([
  ['plain lines', filled.replaceAll('**', '')],
  ['a list of them', filled.replaceAll(/^\*\*(.*)$/gm, '- **$1')],
  ['deeper headings', filled.replaceAll('## ', '### ')],
  [
    'words in subsections',
    filled.replace('## Content\n\nSome words.', '## Content\n\n### One\n\nSome words.'),
  ],
  ['Windows line ends', filled.replaceAll('\n', '\r\n')],
  ['no epic where there is none', filled.replace('T001', 'none'), { task: 'T012' }],
])('[MANI-6] valid: %s', (_, text, expected) => expect(findings(text, expected)).toEqual([]))

test.each([
  [
    'no title',
    filled.replace('# Sign-up form', 'Sign-up form'),
    '1: has no title: a first line such as "# Sign-up form"',
  ],
  ['another task', filled.replace('T012', 'T013'), '3: has "Task: T013", but belongs to T012'],
  ['another epic', filled.replace('T001', 'T002'), '4: has "Epic: T002", but belongs to T001'],
  ['no date', filled.replace('2026-01-31', 'soon'), '5: needs a date such as 2026-01-31 after "Date:"'],
  [
    'a status of its own',
    filled.replace('complete', 'done'),
    '6: needs one of complete, partial, blocked after "Status:"',
  ],
  [
    'no status',
    filled.replace('**Status**: complete\n', ''),
    '-: has no line "**Status**: …" above its first section',
  ],
  ['no references', filled.replace('## References', '## Sources'), '-: has no section "## References"'],
  [
    'a heading in a fence',
    filled.replace('## References', '```\n## References\n```'),
    '-: has no section "## References"',
  ],
  [
    'a comment for content',
    filled.replace('## Content\n\nSome words.', '## Content\n\n<!-- to do -->'),
    '13: "## Content" is still empty',
  ],
  [
    'headings for content',
    filled.replace('## Content\n\nSome words.', '## Content\n\n### One\n\n### Two'),
    '13: "## Content" is still empty',
  ],
])('[MANI-6] reported: %s', (_, text, message) => expect(findings(text)).toContain(message))

test('[MANI-6] an empty file reports everything missing at once', () => expect(findings('')).toHaveLength(8))

const specified = { ...about, protocol: 'specification' } as const
const fill = (text: string) => text.replaceAll(/^## ([\w ]+)$/gm, '## $1\n\nSome words.')

test('[MANI-6] a specification needs the sections of its protocol, and has its own statuses', () => {
  const text = outputTemplate(specified)
  expect(findings(text, specified)).toEqual(
    ['9: "## Summary"', '12: "## Scope"', '15: "## Conformance"', '18: "## Content"']
      .map((part) => `${part} is still empty`)
      .concat('21: "## Related Specifications" is still empty', '24: "## References" is still empty'),
  )
  expect(findings(fill(text), specified)).toEqual([])
  expect(findings(fill(text).replace('draft', 'accepted'), specified)).toEqual([])
  const numbered = fill(text).replace('## Scope', '## 1. Scope')
  expect(findings(numbered, specified)).toEqual([])
  expect(findings(filled, specified)).toEqual([
    '-: has no line "**Version**: …" above its first section',
    ...['Scope', 'Conformance', 'Related Specifications'].map((name) => `-: has no section "## ${name}"`),
  ])
})

test.each([
  ['a numbered summary', '# X\n\n## 1. Summary\n\n## 2. Scope\n\nAll.\n', 'its Summary is empty'],
  ['nothing', '', 'it is empty'],
  ['headings and comments', '# Form\n\n## Notes\n<!-- to do -->\n', 'it is empty'],
  ['the template', blank, 'its Summary is empty'],
  ['words elsewhere', blank.replace('## Content\n', '## Content\n\nSome words.\n'), 'its Summary is empty'],
  [
    'a comment for a summary',
    blank.replace('## Summary\n', '## Summary\n<!-- x -->\n'),
    'its Summary is empty',
  ],
  ['Windows line ends', blank.replaceAll('\n', '\r\n'), 'its Summary is empty'],
  ['a line', blank.replace('## Summary\n', '## Summary\nIt holds.\n'), undefined],
  ['a line further down', blank.replace('## Summary\n', '## Summary\n### One\n\nIt holds.\n'), undefined],
  ['no headings', '{"rows":[1,2,3]}', undefined],
])('[MANI-1] [MANI-6] filled in or not: %s', (_, text, why) => expect(whyUnfilled(text)).toBe(why))
