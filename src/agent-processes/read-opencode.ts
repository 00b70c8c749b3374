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

/**
 * Reads the output of `opencode run --format json`. Each step has its own tokens and cost, so the reader adds them
 * up.
 */
export const readOpenCode = (now: () => number): StreamReader => {
  const sum = { input: 0, output: 0, cached: 0, cost: 0 }
  let session: string | undefined
  const problemIn = (text: string, status?: number): AgentNote[] => {
    const problem = apiProblem(text, { status, now })
    return problem ? [problem] : []
  }
  const step = (part: Fields): AgentNote[] => {
    const tokens = fieldsOf(part, 'tokens')
    const cache = fieldsOf(tokens, 'cache')
    const read = countOf(cache, 'read') ?? 0
    sum.input += (countOf(tokens, 'input') ?? 0) + read + (countOf(cache, 'write') ?? 0)
    sum.output += (countOf(tokens, 'output') ?? 0) + (countOf(tokens, 'reasoning') ?? 0)
    sum.cached += read
    sum.cost += countOf(part, 'cost') ?? 0
    const isOver = textOf(part, 'reason') === 'stop'
    return [{ kind: 'tokens', ...sum }, ...(isOver ? [{ kind: 'turn over' } as const] : [])]
  }
  const event = (fields: Fields): AgentNote[] => {
    const part = fieldsOf(fields, 'part')
    switch (textOf(fields, 'type')) {
      case 'text': {
        const text = textOf(part, 'text')
        return text === undefined ? [] : [{ kind: 'message', text }]
      }
      case 'tool_use':
        return toolUse(part)
      case 'step_finish':
        return step(part)
      case 'error': {
        const error = fieldsOf(fields, 'error')
        const data = fieldsOf(error, 'data')
        const why =
          textOf(data, 'message') ?? textOf(error, 'message') ?? textOf(error, 'name') ?? 'the turn failed'
        return [...problemIn(why, countOf(data, 'statusCode')), { kind: 'turn over', failed: shortText(why) }]
      }
      default:
        return []
    }
  }
  return (line, from) => {
    if (from === 'errors') return problemIn(line)
    const fields = parseLine(line)
    if (!fields) return []
    const id = textOf(fields, 'sessionID')
    if (id === undefined || id === session) return event(fields)
    session = id
    return [{ kind: 'session', id }, ...event(fields)]
  }
}

const toolUse = (part: Fields): AgentNote[] => {
  const state = fieldsOf(part, 'state')
  const text = actionText(textOf(part, 'tool') ?? 'tool', fieldsOf(state, 'input'))
  const error = (textOf(state, 'error') ?? '').toLowerCase()
  const isDenied =
    textOf(state, 'status') === 'error' &&
    ['permission', 'rejected', 'prevents you', 'denied'].some((word) => error.includes(word))
  return [
    { kind: 'action', text },
    ...(isDenied ? [{ kind: 'denied', what: text } as const] : []),
    ...(lacksCleo(textOf(state, 'output') ?? error) ? [{ kind: 'no cleo' } as const] : []),
  ]
}
