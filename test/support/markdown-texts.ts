import fc from './properties.ts'

const words = [
  'word',
  '@a.md',
  '(@a.md)',
  '**@a.md**',
  '`@a.md`',
  '`` @a.md ` ``',
  '`',
  '``',
  '\\`',
  '`two\nlines @a.md`',
  '\n',
]

/** The lines of a paragraph, none of which starts a fence. */
const paragraph = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(' ').split('\n'))
  .map((lines) => lines.map((line) => line.trim()).filter((line) => line !== ''))
  .map((lines) => lines.map((line) => (line.startsWith('```') ? `x${line}` : line)))
  .filter((lines) => lines.length > 0)

const codeLines = [
  '@a.md',
  '`@a.md`',
  '- @a.md',
  '',
  '  x @a.md',
  '> @a.md',
  '~~',
  '``',
  '# @a.md',
  '| @a.md |',
]

const fenced = fc
  .tuple(
    fc.constantFrom('```', '````', '~~~'),
    fc.constantFrom('', 'js', ' md'),
    fc.array(fc.constantFrom(...codeLines), { maxLength: 4 }),
  )
  .map(([fence, info, lines]) => [fence + info, ...lines, fence])

const indented = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => (i === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line))

const { blocks } = fc.letrec<{ blocks: string[]; block: string[] }>((tie) => ({
  blocks: fc
    .array(tie('block'), { minLength: 1, maxLength: 3 })
    .map((all) => all.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    paragraph,
    fenced,
    paragraph.map(([line]) => [`# ${line}`]),
    fc
      .tuple(fc.constantFrom('- ', '* ', '1. ', '10) '), tie('blocks'))
      .map(([mark, lines]) => indented(mark, lines)),
    tie('blocks').map((lines) => lines.map((line) => `> ${line}`.trimEnd())),
  ),
}))

/** Paragraphs, headings and fences, in lists and quotes of any depth, full of `@a.md` inside and outside of code. */
export const markdown = blocks.map((lines) => lines.join('\n'))
