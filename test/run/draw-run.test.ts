import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentNow } from '../../src/run/agents-of-run.ts'
import { type DriverNow, runPicture } from '../../src/run/draw-run.ts'
import type { RunNews } from '../../src/run/ledger.ts'
import { newRunState, type RunState, type Work } from '../../src/schedule/run-state.ts'
import { styleFor } from '../../src/terminal/terminal.ts'
import { widthOf } from '../../src/terminal/text-width.ts'
import { tagged } from '../screens/shown.ts'

const at = Date.UTC(2026, 0, 5, 10, 12, 30)
const agents: AgentNow[] = [
  {
    ...{ task: 'T004', spawn: 'T004.2', since: at - 252_000, usage: { tokens: 48_210, cost: 0.42 } },
    action:
      'Edit src/cart/total.ts: add the discount of each line before rounding, as the table of prices says',
  },
  { task: 'T005', spawn: 'T005.1', since: at - 61_000, usage: { tokens: 9120, cost: 0 }, action: 'npm test' },
  { task: 'T006', spawn: 'T006.1', since: at - 2000, usage: { tokens: 0, cost: 0 } },
]
const stateWith = (more: Partial<RunState> = {}): RunState => ({
  ...newRunState({ parallel: 3, mostAttempts: 3, breaker: 5 }, 1),
  works: new Map<string, Work>([
    ...agents.map(({ task, spawn }) => [task, { task, spawn, phase: 'running', tries: 0 }] as const),
    ['T003', { task: 'T003', spawn: 'T003.1', phase: 'receiving', tries: 0 }],
  ]),
  usage: new Map(agents.map(({ spawn, usage }) => [spawn, usage])),
  ...more,
})
const news: RunNews[] = [
  { run: 'R001', at: at - 300_000, kind: 'merged', task: 'T002', merge: { into: 'cleo/T001', commits: 2 } },
  {
    ...{ run: 'R001', at: at - 280_000, kind: 'failed', task: 'T004', spawn: 'T004.1', attempt: 1 },
    why: 'claimed success with nothing: T004.1 submitted no manifest entry.',
  },
  {
    ...{ run: 'R001', at: at - 252_000, kind: 'started', task: 'T004', spawn: 'T004.2', agent: 'claude' },
    folder: '/home/ada/.local/state/cleo/4c1be3fb9c04/worktrees/T004.2',
  },
  {
    run: 'R001',
    at: at - 90_000,
    kind: 'ask',
    task: 'T007',
    reason: '3 attempts failed, the last one: hung',
  },
  { run: 'R001', at: at - 30_000, kind: 'ended', task: 'T003', spawn: 'T003.1', submitted: true },
]

const pictureOf = (state = stateWith(), stopped: string[] = []) => {
  const driver: DriverNow = {
    state: () => state,
    agents: () => agents,
    stopOne: (task) => stopped.push(task),
    tryAgain: (task) => stopped.push(`${task} again`),
  }
  const picture = runPicture(driver, {
    title: 'R001  T001 Prices, carts and orders  claude, 3 at once',
    waves: [['T002', 'T003'], ['T004', 'T005', 'T006', 'T007'], ['T008']],
    titles: new Map([
      ['T004', 'Add up a cart with discounts'],
      ['T005', 'Print orders'],
      ['T006', 'A title that is far too long to be shown as a whole in the live view'],
    ]),
    endOfLog: (spawn) => `first line\nlog of /logs/${spawn}\n`,
    now: () => at,
  })
  for (const each of news) picture.hear(each)
  return picture
}

describe('[RUN-5] the live view of a run', () => {
  test.each([80, 160])('fits into %i columns, with colours', async (columns) => {
    const width = columns - 1
    const style = styleFor({ FORCE_COLOR: '1' }, { isTerminal: true, width })
    const picture = pictureOf()
    const frames = [picture.lines(style).join('\n')]
    picture.keys['l']!()
    frames.push(picture.lines(style).join('\n'))
    picture.keys['i']!()
    frames.push(picture.lines(style).join('\n'))
    frames.push(
      pictureOf(stateWith({ stopping: 'drain', why: 'stopped by a person' }))
        .lines(style)
        .join('\n'),
    )
    await expect(tagged(frames.join('\n\n=====\n\n'))).toMatchFileSnapshot(
      join(import.meta.dirname, '..', 'screens', `run-${columns}.txt`),
    )
    const hints = picture.lines(styleFor({}, { isTerminal: true, width })).at(-1)!
    expect(widthOf(hints), 'what keys do is never cut').toBeLessThanOrEqual(width)
    const counts = picture
      .lines(styleFor({ NO_COLOR: '1' }, { isTerminal: true, width }))
      .find((line) => line.includes(' merged · '))
    expect(widthOf(counts!), 'counts are not cut').toBeLessThanOrEqual(width)
  })

  test('at 50 columns, cost and keys are whole, and the inbox shows the whole reason of the chosen task', () => {
    const style = styleFor({ NO_COLOR: '1' }, { isTerminal: true, width: 49 })
    const picture = pictureOf()
    picture.hear({
      run: 'R001',
      at,
      kind: 'ask',
      task: 'T008',
      reason: `The first line. ${'word '.repeat(20)}end.`,
    })
    picture.keys['i']!()
    picture.keys['j']!()
    const lines = picture.lines(style)
    const agent = lines.find((line) => line.includes('T004.2'))!
    expect(widthOf(agent), agent).toBeLessThanOrEqual(49)
    expect(lines).toContain('57,330 tokens, $0.42')
    expect(widthOf(lines.at(-1)!)).toBeLessThanOrEqual(49)
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`The first line. ${'word '.repeat(20)}end.`)
  })

  test('keys choose an agent, open its log, stop it, and show what waits for a person', () => {
    const stopped: string[] = []
    const picture = pictureOf(undefined, stopped)
    const style = styleFor({ NO_COLOR: '1' }, { isTerminal: true, width: 100 })
    const shown = () => picture.lines(style).join('\n')
    expect(shown()).toContain('▸ T004.2')
    picture.keys['j']!()
    expect(shown()).toContain('▸ T005.1')
    picture.keys['l']!()
    expect(shown()).toContain('log of /logs/T005.1')
    picture.keys['x']!()
    expect(stopped).toEqual(['T005'])
    picture.keys['i']!()
    expect(shown()).toContain('▸ ■ T007 3 attempts failed, the last one: hung')
    picture.keys['a']!()
    expect(stopped).toEqual(['T005', 'T007 again'])
    expect(shown()).toContain('Nothing waits for you.')
    picture.keys['i']!()
    picture.keys['k']!()
    expect(shown()).toContain('▸ T004.2')
  })
})
