import type { AgentNote, StreamReader } from './agent.ts'
import { apiProblem } from './api-problem.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  lacksCleo,
  listOf,
  parseLine,
  shortText,
  textOf,
} from './stream-line.ts'

/** Reads the output of `codex exec --json`. Codex reports no cost, and tokens only at the end of a turn. */
export const readCodex =
  (now: () => number): StreamReader =>
  (line, from) => {
    if (from === 'errors') return problemIn(line, now)
    const fields = parseLine(line)
    if (!fields) return []
    switch (textOf(fields, 'type')) {
      case 'thread.started': {
        const id = textOf(fields, 'thread_id')
        return id === undefined ? [] : [{ kind: 'session', id }]
      }
      case 'item.started':
        return started(fieldsOf(fields, 'item'))
      case 'item.completed':
        return completed(fieldsOf(fields, 'item'), now)
      case 'error':
        return problemIn(textOf(fields, 'message') ?? '', now)
      case 'turn.completed':
        return [...usage(fieldsOf(fields, 'usage')), { kind: 'turn over' }]
      case 'turn.failed': {
        const message = textOf(fieldsOf(fields, 'error'), 'message') ?? 'the turn failed'
        return [...problemIn(message, now), { kind: 'turn over', failed: shortText(message) }]
      }
      default:
        return []
    }
  }

const problemIn = (text: string, now: () => number): AgentNote[] => {
  const problem = apiProblem(text, { now })
  return problem ? [problem] : []
}

const started = (item: Fields): AgentNote[] => {
  const text = actionOf(item)
  return text === undefined ? [] : [{ kind: 'action', text }]
}

const actionOf = (item: Fields): string | undefined => {
  switch (textOf(item, 'type')) {
    case 'command_execution':
      return shortText(`$ ${plainCommand(textOf(item, 'command') ?? '')}`)
    case 'mcp_tool_call':
      return shortText(`${textOf(item, 'server') ?? 'mcp'} ${textOf(item, 'tool') ?? ''}`)
    case 'file_change': {
      const paths = listOf(item, 'changes').flatMap((change) => textOf(change, 'path') ?? [])
      return shortText(`edit ${paths.join(' ')}`)
    }
    case 'web_search':
      return shortText(`search ${textOf(item, 'query') ?? ''}`)
    default:
      return undefined
  }
}

/** Removes the shell from a command: `/bin/bash -lc 'npm test'` becomes `npm test`. */
const plainCommand = (command: string): string =>
  /^\/(?:usr\/)?bin\/(?:ba|z)?sh -l?c ['"]?/.test(command.slice(0, 40))
    ? command.slice(command.indexOf('c ', 5) + 2).replace(/^['"]|['"]$/g, '')
    : command

const completed = (item: Fields, now: () => number): AgentNote[] => {
  const text = textOf(item, 'text')
  const what = actionOf(item)
  switch (textOf(item, 'type')) {
    case 'agent_message':
      return text === undefined ? [] : [{ kind: 'message', text }]
    case 'error':
      return problemIn(textOf(item, 'message') ?? '', now)
    case 'command_execution':
    case 'mcp_tool_call':
    case 'file_change':
      return [
        ...(textOf(item, 'type') === 'file_change' && what !== undefined
          ? [{ kind: 'action', text: what } as const]
          : []),
        ...(isRefused(item) ? [{ kind: 'denied', what: what ?? 'a tool' } as const] : []),
        ...(lacksCleo(textOf(item, 'aggregated_output') ?? '') ? [{ kind: 'no cleo' } as const] : []),
      ]
    default:
      return []
  }
}

/** The errors that a program reports if the sandbox does not let it write a file, open a socket or run a program. */
const refusals = ['Read-only file system', 'Operation not permitted', 'Permission denied']

/**
 * Whether a call was refused. If Codex itself declined the call, the status says so. If the sandbox made a command
 * fail, the status is only `failed`, and the output of the command shows the refusal.
 */
const isRefused = (item: Fields): boolean => {
  const status = textOf(item, 'status')
  if (status !== 'failed') return status === 'declined'
  const end = (textOf(item, 'aggregated_output') ?? '').slice(-endOfOutput)
  return refusals.some((words) => end.includes(words))
}

const endOfOutput = 2000

/**
 * Codex reports the tokens of the whole thread so far, so `ofSession` is set. `input_tokens` includes the cached
 * tokens.
 */
const usage = (fields: Fields): AgentNote[] => {
  const input = countOf(fields, 'input_tokens')
  const output = countOf(fields, 'output_tokens')
  if (input === undefined && output === undefined) return []
  return [
    {
      kind: 'tokens',
      input: input ?? 0,
      output: output ?? 0,
      cached: countOf(fields, 'cached_input_tokens') ?? 0,
      ofSession: true,
    },
  ]
}
