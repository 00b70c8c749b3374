import { describe, expect, test } from 'vitest'
import type { AgentNote } from '../../src/agent-processes/agent.ts'
import { endRecord, type Gathered, gather, type ProcessEnd } from '../../src/agent-processes/ending.ts'

const more = { bytes: 10, leftBehind: 0, endedAt: 1 }
const known = (notes: readonly AgentNote[]): Gathered => notes.reduce(gather, { denied: [] } as Gathered)
const end = (process: ProcessEnd, notes: readonly AgentNote[] = []) => endRecord(process, known(notes), more)

const quota: AgentNote = { kind: 'quota', text: 'rate limit', until: 99 }
const auth: AgentNote = { kind: 'auth', text: 'Please run /login' }
const over: AgentNote = { kind: 'turn over' }
const says = (text: string): AgentNote => ({ kind: 'message', text })

describe('the end of an agent', () => {
  test.each<[string, ProcessEnd, AgentNote[], string, string | undefined]>([
    [
      'not installed',
      { notStarted: { code: 'ENOENT', reason: 'there is no such program' } },
      [],
      'not found',
      'there is no such program',
    ],
    [
      'not executable',
      { notStarted: { code: 'EACCES', reason: 'it is not executable' } },
      [],
      'not started',
      'it is not executable',
    ],
    ['not logged in', { code: 1 }, [auth, { ...over, failed: 'x' }], 'not logged in', 'Please run /login'],
    ['crashes', { code: 3 }, [], 'crashed', 'exit status 3'],
    ['is killed by the system', { signal: 'SIGKILL' }, [says('Working.')], 'crashed', 'ended by SIGKILL'],
    [
      'fails its turn with exit 0',
      { code: 0 },
      [{ ...over, failed: 'error_max_turns' }],
      'crashed',
      'error_max_turns',
    ],
    ['hangs', { signal: 'SIGTERM', stop: { why: 'idle', ms: 900_000 } }, [], 'idle', 'no output for 15 min'],
    [
      'never stops',
      { signal: 'SIGTERM', stop: { why: 'too long', ms: 60_000 } },
      [],
      'too long',
      'ran for 60 s',
    ],
    ['exits 0 with nothing', { code: 0 }, [], 'ended', undefined],
    ['claims success', { code: 0 }, [says('All done.'), over], 'ended', undefined],
    [
      'stays after its turn',
      { signal: 'SIGTERM', stop: { why: 'turn over' } },
      [says('Done.'), over],
      'ended',
      undefined,
    ],
    [
      'asks a question',
      { code: 0 },
      [says('I see two ways.\nWhich one do you want?'), over],
      'asked a question',
      'Which one do you want?',
    ],
    [
      'asks and waits',
      { signal: 'SIGTERM', stop: { why: 'idle', ms: 1000 } },
      [says('Go on? (y/n)')],
      'asked a question',
      'Go on? (y/n)',
    ],
    [
      'asks by a tool',
      { code: 0 },
      [{ kind: 'denied', what: 'AskUserQuestion' }, over],
      'asked a question',
      undefined,
    ],
    [
      'wrote a question before its answer',
      { code: 0 },
      [says('Why? Because it works.'), over],
      'ended',
      undefined,
    ],
    ['meets a quota', { code: 0 }, [quota, { ...over, failed: 'rate limit' }], 'quota', 'rate limit'],
    [
      'waits for a quota',
      { signal: 'SIGTERM', stop: { why: 'idle', ms: 1000 } },
      [quota],
      'quota',
      'rate limit',
    ],
    ['overcomes a quota', { code: 0 }, [quota, { kind: 'action', text: '$ ls' }, over], 'ended', undefined],
    [
      'is ended by us',
      { signal: 'SIGTERM', stop: { why: 'asked', reason: 'stop' } },
      [quota],
      'ended by us',
      'stop',
    ],
  ])('that %s has a name', (_what, process, notes, ending, reason) => {
    expect(end(process, notes)).toMatchObject({ ending, ...(reason !== undefined && { reason }) })
    if (reason === undefined && ending !== 'asked a question')
      expect(end(process, notes)).not.toHaveProperty('reason')
  })

  test('keeps what the report needs', () => {
    const denied: AgentNote = { kind: 'denied', what: '$ npm publish' }
    const tokens: AgentNote = { kind: 'tokens', input: 10, output: 2, cost: 0.5, model: 'm' }
    expect(
      end({ code: 0 }, [{ kind: 'session', id: 's1' }, denied, denied, { kind: 'no cleo' }, tokens, quota]),
    ).toEqual({
      ...{
        ending: 'quota',
        reason: 'rate limit',
        code: 0,
        denied: ['$ npm publish'],
        session: 's1',
        cost: 0.5,
      },
      ...{ tokens: { input: 10, output: 2, model: 'm' }, cleoMissing: true, quotaUntil: 99 },
      ...more,
    })
  })

  test('has at most 20 denials, however many there were', () => {
    const notes = Array.from({ length: 50 }, (_, i): AgentNote => ({ kind: 'denied', what: `${i}` }))
    expect(end({ code: 0 }, notes).denied).toHaveLength(20)
  })
})
