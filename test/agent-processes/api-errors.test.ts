import { expect, test } from 'vitest'
import type { AgentName } from '../../src/agent-processes/agent.ts'
import { endRecord, type Gathered, gather } from '../../src/agent-processes/ending.ts'
import { readerFor } from '../../src/agent-processes/reader-for.ts'

/** Errors of each service, as its clients print them. Some of them contain the JSON that the service sent. */
const wire: readonly [string, AgentName, 'quota' | 'not logged in', object][] = [
  [
    'Anthropic: rate limit',
    'claude',
    'quota',
    {
      ...{ type: 'result', subtype: 'success', is_error: true, api_error_status: 429 },
      result:
        'API Error: Request rejected (429) · {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"},"request_id":"req_1"}',
    },
  ],
  [
    'Anthropic: overloaded',
    'claude',
    'quota',
    {
      ...{ type: 'result', subtype: 'success', is_error: true },
      result: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    },
  ],
  [
    'Anthropic: key',
    'claude',
    'not logged in',
    {
      ...{ type: 'result', subtype: 'success', is_error: true, api_error_status: 401 },
      result: 'Failed to authenticate. API Error: 401 {"error":{"type":"authentication_error"}}',
    },
  ],
  [
    'OpenAI Responses: rate limit',
    'codex',
    'quota',
    {
      type: 'turn.failed',
      error: { message: 'exceeded retry limit, last status: 429 Too Many Requests, request id: req_1' },
    },
  ],
  [
    'OpenAI Responses: quota',
    'codex',
    'quota',
    {
      type: 'turn.failed',
      error: { message: 'Quota exceeded. Check your plan and billing details.' },
    },
  ],
  [
    'OpenAI Responses: plan',
    'codex',
    'quota',
    { type: 'error', message: "You've hit your usage limit. Try again in 3 hours 12 minutes." },
  ],
  [
    'OpenAI Responses: key',
    'codex',
    'not logged in',
    {
      type: 'turn.failed',
      error: {
        message:
          'unexpected status 401 Unauthorized: {"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}',
      },
    },
  ],
  [
    'OpenAI chat: rate limit',
    'opencode',
    'quota',
    {
      type: 'error',
      error: {
        name: 'APIError',
        data: {
          message: 'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000',
          statusCode: 429,
        },
      },
    },
  ],
  [
    'OpenAI chat: quota',
    'opencode',
    'quota',
    {
      type: 'error',
      error: {
        name: 'APIError',
        data: { message: 'You exceeded your current quota, please check your plan', statusCode: 429 },
      },
    },
  ],
  [
    'OpenAI chat: no credit',
    'opencode',
    'quota',
    { type: 'error', error: { name: 'APIError', data: { message: 'Payment Required', statusCode: 402 } } },
  ],
  [
    'OpenAI chat: key',
    'opencode',
    'not logged in',
    {
      type: 'error',
      error: { name: 'APIError', data: { message: 'Incorrect API key provided: sk-1', statusCode: 401 } },
    },
  ],
  [
    'Gemini: rate limit',
    'gemini',
    'quota',
    {
      ...{ type: 'result', status: 'error' },
      error: {
        type: 'Error',
        message:
          '{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}',
      },
    },
  ],
  [
    'Gemini: day',
    'gemini',
    'quota',
    {
      ...{ type: 'result', status: 'error' },
      error: { type: 'TerminalQuotaError', message: 'You have exhausted your daily quota on this model.' },
    },
  ],
  [
    'Gemini: key',
    'gemini',
    'not logged in',
    {
      ...{ type: 'result', status: 'error' },
      error: {
        type: 'Error',
        message:
          '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
      },
    },
  ],
]

test.each(wire)('[RUN-3] %s (%s) is told apart from a crash', async (_, name, ending, line) => {
  let known: Gathered = { denied: [] }
  const read = await readerFor(name, () => 0)
  for (const note of read(JSON.stringify(line), 'output')) known = gather(known, note)
  expect(endRecord({ code: 1 }, known, { bytes: 0, leftBehind: 0, endedAt: 0 })).toMatchObject({ ending })
})
