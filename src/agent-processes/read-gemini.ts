import type { AgentNote, StreamReader } from './agent.ts'
import { apiProblem } from './api-problem.ts'
import {
  actionText,
  countOf,
  type Fields,
  fieldsOf,
  lacksCleo,
  parseLine,
  shortText,
  textOf,
} from './stream-line.ts'

const mostMessage = 64 * 1024
const mostCalls = 64

/**
 * Reads the output of `gemini -o stream-json`. Gemini prints one message as several lines. The reader joins their
 * texts into one note, which it returns when a line of another kind follows, or when the next message begins.
 */
export const readGemini = (now: () => number): StreamReader => {
  let message = ''
  const calls = new Map<string, string>()
  const said = (): AgentNote[] => {
    const text = message
    message = ''
    return text === '' ? [] : [{ kind: 'message', text }]
  }
  return (line, from) => {
    if (from === 'errors') return problemIn(line, now)
    const fields = parseLine(line)
    if (!fields) return []
    const type = textOf(fields, 'type')
    if (type === 'message' && textOf(fields, 'role') === 'assistant') {
      const before = fields['delta'] === true ? [] : said()
      if (message.length < mostMessage) message += textOf(fields, 'content') ?? ''
      return before
    }
    return [...said(), ...other(type, fields, calls, now)]
  }
}

const problemIn = (text: string, now: () => number, status?: number): AgentNote[] => {
  const problem = apiProblem(text, { status, now })
  return problem ? [problem] : []
}

const other = (
  type: string | undefined,
  fields: Fields,
  calls: Map<string, string>,
  now: () => number,
): AgentNote[] => {
  switch (type) {
    case 'init': {
      const id = textOf(fields, 'session_id')
      return id === undefined ? [] : [{ kind: 'session', id }]
    }
    case 'tool_use': {
      const action = actionText(textOf(fields, 'tool_name') ?? 'tool', fieldsOf(fields, 'parameters'))
      calls.set(textOf(fields, 'tool_id') ?? '', action)
      if (calls.size > mostCalls) calls.delete(calls.keys().next().value!)
      return [{ kind: 'action', text: action }]
    }
    case 'tool_result':
      return toolResult(fields, calls)
    case 'error':
      return problemIn(textOf(fields, 'message') ?? '', now)
    case 'result':
      return result(fields, now)
    default:
      return []
  }
}

const toolResult = (fields: Fields, calls: ReadonlyMap<string, string>): AgentNote[] => {
  const error = fieldsOf(fields, 'error')
  const why = `${textOf(error, 'type') ?? ''} ${textOf(error, 'message') ?? ''}`.toLowerCase()
  const isDenied =
    textOf(fields, 'status') === 'error' &&
    (why.includes('denied') || why.includes('policy') || why.includes('not allowed'))
  return [
    ...(isDenied
      ? [{ kind: 'denied', what: calls.get(textOf(fields, 'tool_id') ?? '') ?? 'a tool' } as const]
      : []),
    ...(lacksCleo(textOf(fields, 'output') ?? why) ? [{ kind: 'no cleo' } as const] : []),
  ]
}

const result = (fields: Fields, now: () => number): AgentNote[] => {
  const stats = fieldsOf(fields, 'stats')
  const input = countOf(stats, 'input_tokens')
  const output = countOf(stats, 'output_tokens')
  const [model] = Object.keys(fieldsOf(stats, 'models'))
  const tokens: AgentNote[] =
    input === undefined && output === undefined
      ? []
      : [
          {
            kind: 'tokens',
            input: input ?? 0,
            output: output ?? 0,
            cached: countOf(stats, 'cached') ?? 0,
            ...(model !== undefined && { model }),
          },
        ]
  if (textOf(fields, 'status') === 'success') return [...tokens, { kind: 'turn over' }]
  const error = fieldsOf(fields, 'error')
  const why = textOf(error, 'message') ?? textOf(error, 'type') ?? 'the turn failed'
  return [...tokens, ...problemIn(why, now), { kind: 'turn over', failed: shortText(why) }]
}
