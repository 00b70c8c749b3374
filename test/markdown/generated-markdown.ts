import fc from '../support/properties.ts'

/** Lines that start a block, end a block, or only look as if they did. */
const plain = [
  ...[
    '',
    '',
    '',
    'text',
    'more text',
    '# one',
    '## two ##',
    '### ',
    '####### seven',
    '#none',
    '# #',
    'a #',
    '# a \\#',
  ],
  ...['===', '---', '--', '==', '- - -', '***', '___', '```', '```js', '````', '~~~', '~~~ a`b', '``` a`b'],
  ...[
    '<!-- c',
    '-->',
    '<!-- d -->',
    '<!-->',
    '<div>',
    '</div>',
    '<script>',
    '<?php',
    '?>',
    '<!DOCTYPE html>',
  ],
  ...['<![CDATA[', ']]>', '<pre>', '<a href=b>text', '<hr/>'],
]
/** Tags for which the reference is stricter than CommonMark inside a list or a quote. */
const tags = ['<x>', '<x y="1">', '</x >', '</script>']
const blanks = ['', '', '', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t']
const marks = ['- ', '* ', '-   ', '-     ', '1. ', '1) ', '> ', '>', '>\t', '-\t', '  - ', '   > ', '1.\t']

const document = (lines: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(lines, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('\n', '\n', '\n', '\r\n'),
      fc.boolean(),
    )
    .map(([all, newline, ended]) => all.join(newline) + (ended ? newline : ''))

const nestedLine = fc
  .tuple(
    fc.array(fc.constantFrom(...blanks, ...marks, ...marks), { maxLength: 2 }),
    fc.constantFrom(...blanks.slice(0, 7)),
    fc.constantFrom(...plain),
  )
  // Leave out list items without words, because the reference reads them differently from CommonMark.
  .map(([before, blank, line]) => (line === '' ? '' : `${before.join('')}${blank}${line}`))

const flatLine = fc
  .tuple(fc.constantFrom(...blanks), fc.constantFrom(...plain, ...tags))
  .map((parts) => parts.join(''))

/** Markdown with nested lists and quotes, and Markdown without lists and quotes but with any HTML. */
export const markdown = fc.oneof(document(nestedLine), document(flatLine))
