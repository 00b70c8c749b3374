import { expect, test } from 'vitest'
import type { OutlineItem } from '../../src/outline/outline-shape.ts'
import { outlineTasks } from '../../src/outline/outline-tasks.ts'
import { readOutline } from '../../src/outline/read-outline.ts'
import { cpuTime } from '../support/cpu-time.ts'

/** Draws the tree as lines: level, title, criteria and text. */
const drawn = (text: string): string[] =>
  readOutline(text).all.map(
    ({ level, title, criteria, text }: OutlineItem) =>
      `${level} ${title}${criteria.length > 0 ? ` [${criteria.map((each) => each.text).join('; ')}]` : ''}${text.length > 0 ? ` "${text.join('\\n')}"` : ''}`,
  )

test('[TASK-8] headings and list items of all kinds become items, at the level of their nesting', () => {
  expect(
    drawn(
      'Title\n=====\n\nSub\n---\n\n### Deep ###\n- one\n\t- two\n\n* three\n1. four\n   + five\n## Last\n> quoted\n> - not an item\n',
    ),
  ).toEqual([
    '1 Title',
    '2 Sub',
    '3 Deep',
    '4 one',
    '5 two',
    '4 three',
    '4 four',
    '5 five',
    '2 Last "quoted\\n- not an item"',
  ])
})

test('[TASK-8] check boxes are criteria where they are indented or below a label, and tasks elsewhere', () => {
  expect(drawn('# E\n- [ ] task\n  - [x] criterion\n    goes on\n  Text.\n')).toEqual([
    '1 E',
    '2 task [criterion goes on] "Text."',
  ])
  expect(drawn('# E\n  - [ ] of the epic\n- task\n')).toEqual(['1 E [of the epic]', '2 task'])
  expect(
    drawn('# E\n## Task\nText.\n\n**Acceptance criteria:**\n- [ ] a\n- b\n\nMore text.\n- sub\n'),
  ).toEqual(['1 E', '2 Task [a; b] "Text.\\n\\n\\nMore text."', '3 sub'])
  expect(drawn('# E\n## Task\n### Done when\n- a\n## Next\n')).toEqual(['1 E', '2 Task [a]', '2 Next'])
})

test('[TASK-8] Windows line ends, a byte order mark, code and comments change nothing', () => {
  const text = '# E\n- one\n  ```sh\n  - [ ] not this\n  # nor this\n  ```\n<!-- - two\n- three -->\n- four\n'
  const wanted = ['1 E', '2 one "```sh\\n- [ ] not this\\n# nor this\\n```"', '2 four']
  expect(drawn(text)).toEqual(wanted)
  expect(drawn(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(wanted)
  expect(drawn(text.replaceAll('\n', '\r'))).toEqual(wanted)
})

test('[TASK-8] every line is counted once, and every doubtful line is named', () => {
  const text = [
    '---',
    'title: x',
    '---',
    'Preamble.',
    '# E (size: smal, x: y)',
    '- a',
    '\t- b',
    '  - c',
    ' - d',
    '-',
    '- [x] e',
    '',
    '| a table |',
    '(after: a)',
    '***',
    '```',
    'open',
  ]
  const { lines, doubts } = readOutline(text.join('\n'))
  expect(Object.values(lines).reduce((sum, count) => sum + count)).toBe(text.length)
  expect(lines).toEqual({ task: 6, criterion: 0, dependency: 1, text: 3, ignored: 5, notUnderstood: 2 })
  expect(doubts.map(({ line }) => line)).toEqual([1, 4, 8, 8, 9, 9, 10, 10, 13, 17])
})

test('[TASK-8] keys are stable: those written, and else the title, below that of the task for a subtask', () => {
  const keys = (text: string) => outlineTasks(readOutline(text), 0).tasks.map(({ key }) => key)
  expect(keys('# Big Epic\n- One\n  - Tests\n- Two {#second}\n  - Tests\n')).toEqual([
    'big-epic',
    'one',
    'one/tests',
    'second',
    'second/tests',
  ])
  const { tasks, problems } = outlineTasks(
    readOutline('# E\n- One\n  - Tests\n  - Run (after: tests)\n- Two\n  - Tests\n- Three (after: tests)\n'),
    0,
  )
  expect(tasks[3]!.depends).toEqual([tasks[2]])
  expect(problems).toEqual([
    {
      path: 'line 7',
      message: 'after: "tests" can mean one/tests (line 3) or two/tests (line 6); write the key',
    },
  ])
})

test('[TASK-8] a deep or long outline is read in linear time', () => {
  const deep = Array.from({ length: 1500 }, (_, i) => `${'  '.repeat(i)}- item ${i}`).join('\n')
  const long = Array.from({ length: 10_000 }, (_, i) => `- item ${i} (after: item ${i - 1})\n  - [ ] works\n`)
  const spent = cpuTime(() => {
    expect(readOutline(deep).all).toHaveLength(1500)
    expect(outlineTasks(readOutline(`# E\n${long.join('')}`), 0).tasks).toHaveLength(10_001)
  })
  expect(spent).toBeLessThan(10_000)
})
