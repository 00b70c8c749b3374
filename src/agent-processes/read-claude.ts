import type { AgentNote, AgentTokens, StreamReader } from './agent.ts'
import { apiProblem } from './api-problem.ts'
import {
  actionText,
  countOf,
  type Fields,
  fieldsOf,
  lacksCleo,
  listOf,
  parseLine,
  shortText,
  textOf,
} from './stream-line.ts'

/**
 * The reader remembers this many tool calls and this many messages. With the calls, it can say which call was
 * denied. With the messages, it counts the tokens of each message only once.
 */
const mostCalls = 64

/** Reads the output of `claude -p --output-format stream-json --verbose`. */
export const readClaude = (now: () => number): StreamReader => {
  const calls = new Map<string, string>()
  const count = messageCounter()
  const remember = (id: string | undefined, action: string): void => {
    if (id === undefined) return
    calls.set(id, action)
    if (calls.size > mostCalls) calls.delete(calls.keys().next().value!)
  }
  return (line, from) => {
    if (from === 'errors') return problemIn(line, now)
    const fields = parseLine(line)
    if (!fields) return []
    switch (textOf(fields, 'type')) {
      case 'system':
        return system(fields, now)
      case 'assistant':
        return [...count(fieldsOf(fields, 'message')), ...assistant(fields, remember, now)]
      case 'user':
        return results(fields, calls)
      case 'rate_limit_event':
        return rateLimit(fieldsOf(fields, 'rate_limit_info'))
      case 'result':
        return result(fields, now)
      default:
        return []
    }
  }
}

const problemIn = (text: string, now: () => number, status?: number): AgentNote[] => {
  const problem = apiProblem(text, { status, now })
  return problem ? [problem] : []
}

const system = (fields: Fields, now: () => number): AgentNote[] => {
  const subtype = textOf(fields, 'subtype')
  if (subtype === 'init') {
    const id = textOf(fields, 'session_id')
    return id === undefined ? [] : [{ kind: 'session', id }]
  }
  // `api_retry` reports an error after which the client tries again by itself. If the new try succeeds, the next action
  // of the client clears the error.
  if (subtype !== 'api_retry') return []
  return problemIn(textOf(fields, 'error') ?? 'the client tries again', now, countOf(fields, 'error_status'))
}

const assistant = (
  fields: Fields,
  remember: (id: string | undefined, action: string) => void,
  now: () => number,
): AgentNote[] => {
  const message = fieldsOf(fields, 'message')
  // The client reports its own errors as messages of the model `<synthetic>`.
  const isError = textOf(message, 'model') === '<synthetic>' || fields['isApiErrorMessage'] === true
  const isSubagent = textOf(fields, 'parent_tool_use_id') !== undefined
  return listOf(message, 'content').flatMap((part): AgentNote[] => {
    const text = textOf(part, 'text')
    if (textOf(part, 'type') === 'text' && text !== undefined) {
      const problem = isError ? problemIn(text, now) : []
      if (problem.length > 0) return problem
      return isSubagent ? [] : [{ kind: 'message', text }]
    }
    if (textOf(part, 'type') !== 'tool_use') return []
    const action = actionText(textOf(part, 'name') ?? 'tool', fieldsOf(part, 'input'))
    remember(textOf(part, 'id'), action)
    return [{ kind: 'action', text: action }]
  })
}

const results = (fields: Fields, calls: ReadonlyMap<string, string>): AgentNote[] => {
  const called = (part: Fields, key: string) => calls.get(textOf(part, key) ?? '') ?? 'a tool'
  const denied = listOf(fields, 'tool_result_meta').flatMap((meta): AgentNote[] => {
    const decision = textOf(fieldsOf(meta, 'permission_decision'), 'decision')
    return decision === undefined || decision === 'accept' || decision === 'allow'
      ? []
      : [{ kind: 'denied', what: called(meta, 'id') }]
  })
  const lacks = listOf(fieldsOf(fields, 'message'), 'content').some(
    (part) => textOf(part, 'type') === 'tool_result' && lacksCleo(resultText(part)),
  )
  return [...denied, ...(lacks ? [{ kind: 'no cleo' } as const] : [])]
}

const resultText = (part: Fields): string =>
  textOf(part, 'content') ??
  listOf(part, 'content')
    .map((each) => textOf(each, 'text') ?? '')
    .join('\n')

const rateLimit = (info: Fields): AgentNote[] => {
  if (textOf(info, 'status') !== 'rejected') return []
  const resets = countOf(info, 'resetsAt')
  const text = `usage limit reached${textOf(info, 'rateLimitType') ? ` (${textOf(info, 'rateLimitType')})` : ''}`
  return [{ kind: 'quota', text, ...(resets !== undefined && { until: resets * 1000 }) }]
}

const result = (fields: Fields, now: () => number): AgentNote[] => {
  const text = textOf(fields, 'result')
  const isError = fields['is_error'] === true
  const subtype = textOf(fields, 'subtype') ?? 'success'
  const problem = isError ? problemIn(text ?? subtype, now, countOf(fields, 'api_error_status')) : []
  const denials = listOf(fields, 'permission_denials').map(
    (denial): AgentNote => ({
      kind: 'denied',
      what: actionText(textOf(denial, 'tool_name') ?? 'a tool', fieldsOf(denial, 'tool_input')),
    }),
  )
  const failed = isError || subtype !== 'success'
  return [
    ...usage(fields),
    ...denials,
    ...(text !== undefined && !isError ? [{ kind: 'message', text } as const] : []),
    ...problem,
    { kind: 'turn over', ...(failed && { failed: shortText(text ?? subtype) }) },
  ]
}

/**
 * Adds up the tokens of all messages, including messages of subagents. The client's own sum comes only at the end,
 * and is missing if the client is killed. For one message, the client prints several lines with the same id, and the
 * output tokens can grow from line to line. So each line adds only the difference from the line before.
 */
const messageCounter = (): ((message: Fields) => AgentNote[]) => {
  const counted = new Map<string, AgentTokens>()
  const sum = { input: 0, output: 0, cached: 0 }
  return (message) => {
    const id = textOf(message, 'id')
    const usage = fieldsOf(message, 'usage')
    const output = countOf(usage, 'output_tokens')
    if (id === undefined || output === undefined) return []
    const before = counted.get(id) ?? { input: 0, output: 0 }
    const cached = countOf(usage, 'cache_read_input_tokens') ?? 0
    const written = countOf(usage, 'cache_creation_input_tokens') ?? 0
    const input = (countOf(usage, 'input_tokens') ?? 0) + cached + written
    counted.set(id, { input, output, cached })
    if (counted.size > mostCalls) counted.delete(counted.keys().next().value!)
    if (before.input === input && before.output === output) return []
    sum.input += input - before.input
    sum.output += output - before.output
    sum.cached += cached - (before.cached ?? 0)
    return [{ kind: 'tokens', ...sum }]
  }
}

/**
 * Reads `modelUsage`, because the top-level `usage` leaves out subagents. `modelUsage` counts everything since the
 * start of the session, so `ofSession` is set.
 */
const usage = (fields: Fields): AgentNote[] => {
  const models = fieldsOf(fields, 'modelUsage')
  const names = Object.keys(models)
  if (names.length === 0) return []
  let [input, output, cached, cost] = [0, 0, 0, 0]
  for (const name of names) {
    const each = fieldsOf(models, name)
    const read = countOf(each, 'cacheReadInputTokens') ?? 0
    input += (countOf(each, 'inputTokens') ?? 0) + read + (countOf(each, 'cacheCreationInputTokens') ?? 0)
    output += countOf(each, 'outputTokens') ?? 0
    cached += read
    cost += countOf(each, 'costUSD') ?? 0
  }
  return [{ kind: 'tokens', input, output, cached, cost, model: names[0]!, ofSession: true }]
}
