import { expect, test } from 'vitest'
import { newsLine } from '../../src/run/news-line.ts'
import { styleFor } from '../../src/terminal/terminal.ts'

const style = styleFor({}, { isTerminal: false, width: undefined })
const news = { run: 'R001', at: 0, task: 'T002', spawn: 'T002.1' }

test('[OUT-1] text of agents and tasks neither acts on the terminal nor adds a line to the news of a run', () => {
  const hostile = 'x\u001b[2J\u202e\r\n00:00:00 T003    merged       3 commits'
  const shown = 'x\\u{1b}[2J\\u{202e} …'
  const lines = [
    { kind: 'begun', text: hostile },
    { kind: 'ended', ending: 'crashed', reason: hostile },
    { kind: 'failed', why: hostile, attempt: 1 },
    { kind: 'ask', reason: hostile },
    { kind: 'blocked', why: hostile },
    { kind: 'spawn refused', message: hostile },
  ].map((each) => newsLine({ ...news, ...each }, style))
  for (const line of lines) expect(line).toContain(shown)
  expect(lines.join('')).not.toMatch(/[\n\r\u001b\u202e]/)
  expect(lines[2]).toContain('failed 1/3')
  const denied = newsLine({ ...news, kind: 'ended', ending: 'ended', denied: [hostile] }, style)
  expect(denied).not.toMatch(/[\n\r\u001b\u202e]/)
})
