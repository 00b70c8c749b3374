import { expect, test } from 'vitest'
import type { AgentEnd } from '../../src/agent-processes/agent.ts'
import { endIn } from '../../src/agent-processes/end-file.ts'

/** Every field that a watcher can write. */
const end: Required<AgentEnd> = {
  ending: 'ended by us',
  reason: 'the run that started it is gone',
  code: 143,
  signal: 'SIGTERM',
  denied: ['Write /etc/passwd'],
  lastMessage: 'Done.',
  tokens: { input: 180, output: 90, cached: 7, model: 'opus', ofSession: true },
  cost: 0.25,
  session: '03ffad21-6a90-4162-98a7-fe6bc1475e1a',
  cleoMissing: true,
  quotaUntil: 5,
  bytes: 24_817,
  leftBehind: 2,
  startedAt: 3,
  endedAt: 4,
}

test('[RUN-5] the recorded end of an agent is read with everything that its watcher wrote', () => {
  expect(endIn(JSON.parse(JSON.stringify(end)))).toEqual(end)
})

test('[RUN-5] what an agent forged in the record of its end is left out', () => {
  const forged = { ...end, tokens: { ...end.tokens, ofSession: 1 }, session: '--resume=x', denied: [7, 'a'] }
  const { session: _, ...rest } = end
  const { ofSession: _of, ...tokens } = end.tokens
  expect(endIn(forged)).toEqual({ ...rest, tokens, denied: ['a'] })
  expect(endIn({ ...end, ending: 'merged' })).toBeUndefined()
})
