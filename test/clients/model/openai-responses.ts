import {
  type Answer,
  argumentsOf,
  type Conversation,
  type Event,
  type Format,
  list,
  type Said,
  type Tool,
  textOf,
  turnsOf,
} from './conversation.ts'

const toolsOf = (tools: unknown, namespace?: string): Tool[] =>
  list(tools).flatMap((tool) => {
    if (tool['type'] === 'namespace') return toolsOf(tool['tools'], String(tool['name']))
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') return []
    return [
      {
        name: String(tool['name']),
        arguments: argumentsOf(tool['parameters']),
        ...(namespace && { namespace }),
        ...(tool['type'] === 'custom' && { freeform: true }),
      },
    ]
  })

const read = (body: Record<string, unknown>): Conversation => {
  const items = list(body['input'])
  const system = items.filter(({ role }) => role === 'developer' || role === 'system')
  return {
    system: [String(body['instructions'] ?? ''), ...system.map(({ content }) => textOf(content))].join('\n'),
    turns: turnsOf(
      items.flatMap((item): Said[] => {
        const type = String(item['type'] ?? 'message')
        if (type.endsWith('_call')) return [{ from: 'model' }]
        if (type.endsWith('_call_output')) return [{ from: 'user', result: resultOf(item['output']) }]
        if (type !== 'message' || item['role'] === 'developer' || item['role'] === 'system') return []
        const from = item['role'] === 'assistant' ? 'model' : 'user'
        return [{ from, text: textOf(item['content']) }]
      }),
    ),
    tools: toolsOf(body['tools']),
  }
}

const resultOf = (output: unknown): string =>
  typeof output === 'string' ? output : textOf(output) || JSON.stringify(output)

const itemsOf = ({ id, text, calls }: Answer): Record<string, unknown>[] => [
  ...(text === undefined
    ? []
    : [
        {
          type: 'message',
          id: `msg_${id}`,
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ]),
  ...calls.map(({ id, tool: { name, namespace, freeform }, input }) =>
    freeform
      ? { type: 'custom_tool_call', id: `ctc_${id}`, call_id: `call_${id}`, name, input: input['text'] }
      : {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name,
          ...(namespace && { namespace }),
          arguments: JSON.stringify(input),
          status: 'completed',
        },
  ),
]

const response = (id: string, status: string, output: unknown) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 0,
  status,
  model: 'scripted',
  output,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  },
})

const event = (type: string, fields: object): Event => ({ event: type, data: { type, ...fields } })

const stream = (answer: Answer): Event[] => [
  event('response.created', { response: response(answer.id, 'in_progress', []) }),
  ...itemsOf(answer).flatMap((item, output_index) => [
    event('response.output_item.added', {
      output_index,
      item: item['type'] === 'message' ? { ...item, content: [] } : item,
    }),
    ...(item['type'] === 'message'
      ? [
          event('response.output_text.delta', {
            item_id: item['id'],
            output_index,
            content_index: 0,
            delta: answer.text,
          }),
        ]
      : []),
    event('response.output_item.done', { output_index, item }),
  ]),
  event('response.completed', { response: response(answer.id, 'completed', itemsOf(answer)) }),
]

/** The format OpenAI Responses, which Codex speaks. */
export const responses: Format = {
  name: 'responses',
  serves: (path) => path.endsWith('/responses'),
  read,
  stream,
  whole: (answer) => response(answer.id, 'completed', itemsOf(answer)),
  refuse: () => ({ error: { type: 'server_error', code: 'server_error', message: 'scripted' } }),
}
