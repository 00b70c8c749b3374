import {
  type Answer,
  argumentsOf,
  type Conversation,
  type Event,
  type Format,
  list,
  textOf,
  turnsOf,
} from './conversation.ts'

const read = (body: Record<string, unknown>): Conversation => ({
  system: textOf(body['system']),
  turns: turnsOf(
    list(body['messages']).flatMap(({ role, content }) => {
      const from = role === 'assistant' ? ('model' as const) : ('user' as const)
      // Claude Code sends system messages in the middle of a conversation, for example the context of a hook.
      if (role === 'system') return [{ from, result: textOf(content) }]
      if (typeof content === 'string') return [{ from, text: content }]
      return list(content).map((part) =>
        part['type'] === 'tool_result'
          ? { from, result: textOf(part['content']) }
          : { from, text: typeof part['text'] === 'string' ? part['text'] : '' },
      )
    }),
  ),
  tools: list(body['tools']).map((tool) => ({
    name: String(tool['name']),
    arguments: argumentsOf(tool['input_schema']),
  })),
})

const blocksOf = ({ text, calls }: Answer): Record<string, unknown>[] => [
  ...(text === undefined ? [] : [{ type: 'text', text }]),
  ...calls.map(({ id, tool, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name: tool.name, input })),
]

const message = (id: string, content: unknown, answer?: Answer) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: 'claude-scripted',
  content,
  stop_reason: answer ? stopReason(answer) : null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
})

const stopReason = ({ calls }: Answer): string => (calls.length > 0 ? 'tool_use' : 'end_turn')

const event = (type: string, fields: object): Event => ({ event: type, data: { type, ...fields } })

const stream = (answer: Answer): Event[] => [
  event('message_start', { message: message(answer.id, []) }),
  ...blocksOf(answer).flatMap((block, index) => {
    const started = block['type'] === 'text' ? { ...block, text: '' } : { ...block, input: {} }
    const delta =
      block['type'] === 'text'
        ? { type: 'text_delta', text: block['text'] }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
    return [
      event('content_block_start', { index, content_block: started }),
      event('content_block_delta', { index, delta }),
      event('content_block_stop', { index }),
    ]
  }),
  event('message_delta', {
    delta: { stop_reason: stopReason(answer), stop_sequence: null },
    usage: { output_tokens: 5 },
  }),
  event('message_stop', {}),
]

/** The format Anthropic Messages, which Claude Code speaks. */
export const anthropic: Format = {
  name: 'anthropic',
  serves: (path) => path.endsWith('/messages'),
  read,
  stream,
  whole: (answer) => message(answer.id, blocksOf(answer), answer),
  refuse: (status) => ({
    type: 'error',
    error: { type: status === 529 ? 'overloaded_error' : 'api_error', message: 'scripted' },
  }),
}
