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

const read = (body: Record<string, unknown>): Conversation => {
  const messages = list(body['messages'])
  const isSystem = (role: unknown) => role === 'system' || role === 'developer'
  return {
    system: messages
      .filter(({ role }) => isSystem(role))
      .map(({ content }) => textOf(content))
      .join('\n'),
    turns: turnsOf(
      messages
        .filter(({ role }) => !isSystem(role))
        .map(({ role, content }) => {
          if (role === 'tool') return { from: 'user' as const, result: textOf(content) }
          return {
            from: role === 'assistant' ? ('model' as const) : ('user' as const),
            text: textOf(content),
          }
        }),
    ),
    tools: list(body['tools']).map((tool) => {
      const { name, parameters } = tool['function'] as { name: string; parameters: unknown }
      return { name, arguments: argumentsOf(parameters) }
    }),
  }
}

const messageOf = ({ text, calls }: Answer) => ({
  role: 'assistant',
  content: text ?? null,
  ...(calls.length > 0 && {
    tool_calls: calls.map(({ id, tool, input }, index) => ({
      index,
      id: `call_${id}`,
      type: 'function',
      function: { name: tool.name, arguments: JSON.stringify(input) },
    })),
  }),
})

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const finish = ({ calls }: Answer): string => (calls.length > 0 ? 'tool_calls' : 'stop')

const chunk = (id: string, choices: unknown[], more: object = {}): Event => ({
  data: {
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices,
    ...more,
  },
})

const stream = (answer: Answer): Event[] => [
  chunk(answer.id, [{ index: 0, delta: messageOf(answer), finish_reason: null }]),
  chunk(answer.id, [{ index: 0, delta: {}, finish_reason: finish(answer) }]),
  chunk(answer.id, [], { usage }),
  { data: '[DONE]' },
]

/** The format OpenAI Chat Completions, which OpenCode speaks. */
export const chat: Format = {
  name: 'chat',
  serves: (path) => path.endsWith('/chat/completions'),
  read,
  stream,
  whole: (answer) => ({
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: messageOf(answer), finish_reason: finish(answer) }],
    usage,
  }),
  refuse: () => ({ error: { type: 'server_error', code: 'server_error', message: 'scripted' } }),
}
