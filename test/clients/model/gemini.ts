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
  system: textOf((body['systemInstruction'] as { parts?: unknown } | undefined)?.parts),
  turns: turnsOf(
    list(body['contents']).flatMap(({ role, parts }) => {
      const from = role === 'model' ? ('model' as const) : ('user' as const)
      return list(parts).map((part) =>
        part['functionResponse']
          ? { from, result: resultOf(part['functionResponse']) }
          : { from, text: typeof part['text'] === 'string' ? part['text'] : '' },
      )
    }),
  ),
  tools: list(body['tools']).flatMap(({ functionDeclarations }) =>
    list(functionDeclarations).map((tool) => ({
      name: String(tool['name']),
      arguments: argumentsOf(tool['parametersJsonSchema'] ?? tool['parameters']),
    })),
  ),
})

const resultOf = (answered: unknown): string => {
  const { response } = answered as { response?: Record<string, unknown> }
  const text = response?.['output'] ?? response?.['error']
  return typeof text === 'string' ? text : JSON.stringify(response)
}

const whole = ({ id, text, calls }: Answer) => ({
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [
          ...(text === undefined ? [] : [{ text }]),
          ...calls.map(({ id: call, tool, input }) => ({
            functionCall: { id: call, name: tool.name, args: input },
          })),
        ],
      },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion: 'scripted',
  responseId: id,
})

/** The format Gemini generateContent. */
export const gemini: Format = {
  name: 'gemini',
  serves: (path) => path.includes(':generateContent') || path.includes(':streamGenerateContent'),
  read,
  stream: (answer): Event[] => [{ data: whole(answer) }],
  whole,
  refuse: (status) => ({ error: { code: status, message: 'scripted', status: 'UNAVAILABLE' } }),
}
