import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { updateReader } from '../../src/agent-processes/acp-updates.ts'
import { type AgentName, type AgentNote, agentNames } from '../../src/agent-processes/agent.ts'
import { apiProblem } from '../../src/agent-processes/api-problem.ts'
import { readerFor } from '../../src/agent-processes/reader-for.ts'
import fc, { runs } from '../support/properties.ts'

const now = () => 1_800_000_000_000
const recorded = (name: string) =>
  readFileSync(join(import.meta.dirname, 'recorded', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')

const notesOf = async (kind: AgentName, lines: readonly string[]): Promise<AgentNote[]> => {
  const read = await readerFor(kind, now)
  return lines.flatMap((line) => read(line, 'output'))
}
const only = <K extends AgentNote['kind']>(notes: AgentNote[], kind: K) =>
  notes.filter((note): note is Extract<AgentNote, { kind: K }> => note.kind === kind)

const saysAll = [
  'I will write the file.',
  'Now a shell command.',
  'Research complete. See MANIFEST.jsonl for summary.',
]

describe('the recorded streams of real clients', () => {
  test.each<[AgentName, string, { input: number; output: number; cost?: number }]>([
    ['claude', '760a7bf5-564e-4df0-890a-7ad9492ff87b', { input: 8368, output: 156, cost: 0.036592 }],
    ['codex', '01a1e0cf-9ab0-7cf2-ac57-2fa88ca169af', { input: 16494, output: 302 }],
    ['gemini', 'aaaeaacd-358a-4a32-b810-62c3c6680498', { input: 30, output: 30 }],
    ['opencode', 'ses_e1f3045f9ffecKe0cq9lJkq2DH', { input: 7688, output: 180, cost: 0 }],
  ])(
    '[PROV-3] of %s tell session, actions, messages, tokens and the end of the turn',
    async (kind, id, tokens) => {
      const notes = await notesOf(kind, recorded(kind))
      expect(only(notes, 'session')).toEqual([{ kind: 'session', id }])
      expect(new Set(only(notes, 'message').map(({ text }) => text))).toEqual(new Set(saysAll))
      expect(only(notes, 'action').length).toBeGreaterThanOrEqual(2)
      expect(only(notes, 'action').at(-1)!.text).toMatch(/^\$ echo/)
      expect(only(notes, 'tokens').at(-1)).toMatchObject(tokens)
      expect(only(notes, 'tokens').at(-1)!.cost).toBe(tokens.cost)
      expect(notes.at(-1)).toEqual({ kind: 'turn over' })
      expect([...only(notes, 'denied'), ...only(notes, 'quota'), ...only(notes, 'auth')]).toEqual([])
    },
  )

  test('[PROV-3] of Claude with a subagent count what the subagent used', async () => {
    const notes = await notesOf('claude', recorded('claude-subagent-result'))
    expect(only(notes, 'tokens')).toMatchObject([{ input: 55_193, output: 844, cost: 0.237652 }])
  })

  test('[PROV-3] of Claude count each message before the result, because a killed agent has none', async () => {
    const message = (id: string, output: number) =>
      JSON.stringify({
        type: 'assistant',
        message: {
          id,
          usage: { input_tokens: 10, cache_read_input_tokens: 100, output_tokens: output },
          content: [],
        },
      })
    const notes = await notesOf('claude', [
      message('m1', 5),
      message('m1', 5),
      message('m2', 1),
      message('m2', 8),
    ])
    expect(notes).toEqual([
      { kind: 'tokens', input: 110, output: 5, cached: 100 },
      { kind: 'tokens', input: 220, output: 6, cached: 200 },
      { kind: 'tokens', input: 220, output: 13, cached: 200 },
    ])
  })

  test('[PROV-3] of Claude with two results are read to the last one', async () => {
    const notes = await notesOf('claude', recorded('claude-two-results'))
    expect(only(notes, 'turn over')).toHaveLength(2)
    expect(only(notes, 'message').at(-1)!.text).toBe('Delegation finished.')
    // Messages of a subagent do not count as messages of the agent.
    expect(only(notes, 'message').map(({ text }) => text)).not.toContain('worker writes')
  })

  test.each(['acp-gemini', 'acp-opencode'])('[PROV-3] of %s put the parts of a message together', (name) => {
    const notes: AgentNote[] = []
    const updates = updateReader((note) => notes.push(note))
    updates.start()
    for (const line of recorded(name)) updates.take(JSON.parse(line))
    updates.end()
    expect(only(notes, 'message').map(({ text }) => text)).toContain(saysAll[2])
  })
})

describe('what goes wrong in a stream', () => {
  const result = (more: object) => JSON.stringify({ type: 'result', subtype: 'success', ...more })

  test('[PROV-3] a Claude API failure that calls itself success is a failure', async () => {
    const line = result({ is_error: true, api_error_status: 529, result: 'API Error: 529 overloaded_error' })
    expect(await notesOf('claude', [line])).toEqual([
      { kind: 'quota', text: 'API Error: 529 overloaded_error' },
      { kind: 'turn over', failed: 'API Error: 529 overloaded_error' },
    ])
  })

  test('[PROV-3] a command that fails in the sandbox of Codex counts as denied', async () => {
    const command = (status: string, aggregated_output: string) =>
      JSON.stringify({
        type: 'item.completed',
        item: { type: 'command_execution', command: "/bin/bash -c 'touch /a'", aggregated_output, status },
      })
    const denied = [{ kind: 'denied', what: '$ touch /a' }]
    expect(await notesOf('codex', [command('failed', 'touch: /a: Read-only file system\n')])).toEqual(denied)
    expect(await notesOf('codex', [command('declined', '')])).toEqual(denied)
    expect(await notesOf('codex', [command('failed', '1 failed\n')])).toEqual([])
    expect(await notesOf('codex', [command('completed', 'grep: /a: Permission denied\n')])).toEqual([])
  })

  test('[PROV-3] denied tools are named', async () => {
    const denial = { tool_name: 'Bash', tool_input: { command: 'npm publish' } }
    const notes = await notesOf('claude', [result({ is_error: false, permission_denials: [denial] })])
    expect(only(notes, 'denied')).toEqual([{ kind: 'denied', what: '$ npm publish' }])
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'curl x' } }
    const refused = { id: 'c1', permission_decision: { decision: 'reject' } }
    expect(
      only(
        await notesOf('claude', [
          JSON.stringify({ type: 'assistant', message: { content: [call] } }),
          JSON.stringify({ type: 'user', message: { content: [] }, tool_result_meta: [refused] }),
        ]),
        'denied',
      ),
    ).toEqual([{ kind: 'denied', what: '$ curl x' }])
    const gemini = [
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 't', parameters: { command: 'rm x' } },
      {
        type: 'tool_result',
        tool_id: 't',
        status: 'error',
        error: { message: 'Tool execution denied by policy.' },
      },
    ]
    expect(
      only(
        await notesOf(
          'gemini',
          gemini.map((each) => JSON.stringify(each)),
        ),
        'denied',
      ),
    ).toEqual([{ kind: 'denied', what: '$ rm x' }])
    const part = {
      tool: 'bash',
      state: { status: 'error', input: { command: 'ls /' }, error: 'The user rejected permission' },
    }
    expect(only(await notesOf('opencode', [JSON.stringify({ type: 'tool_use', part })]), 'denied')).toEqual([
      { kind: 'denied', what: '$ ls /' },
    ])
  })

  test('[PROV-3] a shell that does not find cleo is noticed', async () => {
    const output = '/bin/bash: line 1: cleo: command not found\n'
    const item = {
      type: 'command_execution',
      command: 'cleo show',
      aggregated_output: output,
      exit_code: 127,
    }
    expect(await notesOf('codex', [JSON.stringify({ type: 'item.completed', item })])).toEqual([
      { kind: 'no cleo' },
    ])
    const content = [{ type: 'tool_result', tool_use_id: 'x', content: output }]
    expect(await notesOf('claude', [JSON.stringify({ type: 'user', message: { content } })])).toEqual([
      { kind: 'no cleo' },
    ])
    expect(only(await notesOf('command', ['sh: 1: cleo: not found']), 'no cleo')).toHaveLength(1)
  })

  test.each<[string, 'quota' | 'auth' | undefined]>([
    ['API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}', 'quota'],
    ['API Error: 529 {"error":{"type":"overloaded_error","message":"Overloaded"}}', 'quota'],
    ['Claude AI usage limit reached|1800003600', 'quota'],
    ["You've hit your limit · resets 3pm", 'quota'],
    ['Your credit balance is too low to access the Anthropic API', 'quota'],
    ['You exceeded your current quota (insufficient_quota)', 'quota'],
    ['Rate limit reached for gpt-5 on tokens per min. Please try again in 20s.', 'quota'],
    ["You've hit your usage limit. Upgrade to Pro", 'quota'],
    ['{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 'quota'],
    ['Quota exceeded for quota metric', 'quota'],
    ['Invalid API key · Please run /login', 'auth'],
    ['OAuth token has expired. Please obtain a new token', 'auth'],
    ['unexpected status 401 Unauthorized: Missing bearer', 'auth'],
    ['API key not valid. Please pass a valid API key. API_KEY_INVALID', 'auth'],
    ['Please set an Auth method in your settings.json', 'auth'],
    ['stream disconnected before completion', undefined],
    ['Model metadata for `fake-model` not found.', undefined],
    ['`--dangerously-bypass-hook-trust` is enabled.', undefined],
  ])('%s', (text, kind) => {
    expect(apiProblem(text, { now })?.kind).toBe(kind)
  })

  test('the time of a quota is told where the client tells it, and never one far away', () => {
    expect(apiProblem('usage limit reached|1800003600', { now })).toMatchObject({ until: 1_800_003_600_000 })
    expect(apiProblem('rate limit: try again in 1.5s', { now })).toMatchObject({ until: now() + 1500 })
    expect(apiProblem('rate limit: retry in 99999d', { now })).not.toHaveProperty('until')
    expect(apiProblem('usage limit reached|1700000000', { now })).not.toHaveProperty('until')
  })
})

describe('any output', () => {
  const streams = agentNames.filter((name) => name !== 'command')
  const noise = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .object({
        key: fc.constantFrom('type', 'message', 'item', 'part', 'result', 'usage', 'note', 'kind', 'x'),
      })
      .map((each) => JSON.stringify(each)),
    fc.tuple(fc.constantFrom(...streams.slice(0, 4)), fc.nat(), fc.nat()).map(([name, line, cut]) => {
      const lines = recorded(name)
      const text = lines[line % lines.length]!
      return text.slice(0, cut % (text.length + 1))
    }),
  )

  test('[PROV-3] is read without an error, and says only what notes can say', async () => {
    const readers = await Promise.all(agentNames.map((name) => readerFor(name, now)))
    fc.assert(
      fc.property(
        fc.array(noise, { maxLength: 6 }),
        fc.constantFrom('output' as const, 'errors' as const),
        (lines, from) => {
          for (const read of readers)
            for (const note of lines.flatMap((line) => read(line, from))) {
              expect(JSON.parse(JSON.stringify(note))).toEqual(note)
              if (note.kind === 'action') expect(note.text.length).toBeLessThanOrEqual(300)
              if (note.kind === 'tokens') expect(Math.min(note.input, note.output)).toBeGreaterThanOrEqual(0)
            }
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  test('[PROV-3] is read in time that grows with its length', async () => {
    const lines = [
      '{'.repeat(500_000),
      `"${'\\'.repeat(500_000)}`,
      'cleo: '.repeat(100_000),
      '|1'.repeat(300_000),
    ]
    for (const name of agentNames) expect(Array.isArray(await notesOf(name, lines))).toBe(true)
  })
})

test('[RUN-5] a note about the tokens of a whole session keeps saying so when it is read again', async () => {
  const tokens = { kind: 'tokens', input: 180, output: 90, ofSession: true } as const
  expect(await notesOf('scripted', [JSON.stringify({ note: tokens })])).toEqual([tokens])
})
