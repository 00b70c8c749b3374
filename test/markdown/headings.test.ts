import { describe, expect, test } from 'vitest'
import { type Range, readBlocks } from '../../src/markdown/blocks.ts'
import { sections } from '../../src/markdown/headings.ts'
import fc, { runs } from '../support/properties.ts'
import { markdown } from './generated-markdown.ts'
import { referenceFences, referenceHeadings } from './reference.ts'

const titles = (text: string) => sections(text).map(({ title }) => title)

test('[BUDG-3] headings are those that mdast finds, at any depth of lists and quotes', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const ours = readBlocks(text).headings.filter(({ inside }) => inside !== 'html')
      expect(ours.map(({ level, at, inside }) => ({ level, at, top: !inside }))).toEqual(
        referenceHeadings(text).map(({ level, at, top }) => ({ level, at, top })),
      )
    }),
    { numRuns: runs(10_000) },
  )
})

test('[TOK-5] fences are those that mdast finds, at any depth of lists and quotes', () => {
  // mdast leaves out the empty lines after a fence that was ended by the end of its list.
  const firstAndLast = (text: string, { start, end }: Range) => [
    lineOf(text, start),
    lineOf(text, text.slice(0, end).trimEnd().length),
  ]
  fc.assert(
    fc.property(markdown, (text) => {
      const ours = readBlocks(text).fences.map((fence) => firstAndLast(text, fence))
      const theirs = referenceFences(text).map((fence) => firstAndLast(text, fence))
      expect(ours).toEqual(theirs)
    }),
    { numRuns: runs(10_000) },
  )
})

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

describe('[BUDG-3] text that only resembles a heading is not a heading', () => {
  test.each([
    ['in a fence', '```\n# no\n```\n# yes'],
    ['in a fence of tildes that holds backticks', '~~~\n```\n# no\n~~~\n# yes'],
    ['in a longer fence', '````\n```\n# no\n````\n# yes'],
    ['in a fence with words behind its marks', '```js title="# no"\n# no\n``` js\n# no\n```\n# yes'],
    ['in a fence inside a list item', '- a\n\n  ```\n  # no\n  ```\n\n# yes'],
    ['in a fence inside a numbered item', '10. a\n    ```\n    # no\n    ```\n# yes'],
    ['in a fence inside a quote', '> ```\n> # no\n> ```\n\n# yes'],
    ['in a fence that is never closed', '# yes\n```\n# no'],
    ['in indented code', 'text\n\n    # no\n\n\t# no\n\n# yes'],
    ['in a comment', '<!--\n# no\n-->\n# yes'],
    ['in a comment of several paragraphs', '<!-- a\n\n# no\n\n-->\n\n# yes'],
    ['in other HTML', '<div>\n# no\n</div>\n\n# yes'],
    ['without a blank behind its marks', '#no\n\n# yes'],
    ['with seven marks', '####### no\n\n# yes'],
    ['escaped', '\\# no\n\n# yes'],
    ['a table', '| a |\n|---|\n| # no |\n\n# yes'],
    ['a rule below an empty line', 'text\n\n---\n\n# yes'],
  ])('%s', (_, text) => {
    expect(titles(text)).toEqual(['yes'])
    expect(referenceHeadings(text).map(({ title }) => title)).toEqual(['yes'])
  })

  test('a fence that a list ends is closed with it', () => {
    expect(titles('- ```\n  # no\n\n# yes')).toEqual(['yes'])
  })

  test('an underline makes a heading of all the lines above it', () => {
    expect(sections('One\ntwo\n===\ntext\nThree\n---')).toMatchObject([
      { level: 1, title: 'One two', start: 0 },
      { level: 2, title: 'text Three' },
    ])
  })

  test('a heading in a list or a quote divides nothing', () => {
    expect(titles('- # no\n> ## no\n\n# yes')).toEqual(['yes'])
  })
})

test('[BUDG-3] a section holds what is below it and ends where its rank comes again', () => {
  const text = '# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\n'
  const held = sections(text).map(({ title, start, end }) => [title, text.slice(start, end)])
  expect(held).toEqual([
    ['A', '# A\na\n## B\nb\n### C\nc\n## D\nd\n'],
    ['B', '## B\nb\n### C\nc\n'],
    ['C', '### C\nc\n'],
    ['D', '## D\nd\n'],
    ['E', '# E\n'],
  ])
})

test.each(['> ', '- ', '#', '`', '~~~\n', '\n', '<x a="b" ', '<!--\n', '- -\t', '='])(
  '[BUDG-3] a megabyte of %j is read',
  (shape) => {
    const { headings } = readBlocks(`${shape.repeat((1 << 20) / shape.length)}\n\n# end`)
    expect(headings.length).toBeLessThan(2)
  },
)
