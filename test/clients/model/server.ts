import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zstdDecompressSync } from 'node:zlib'
import { anthropic } from './anthropic.ts'
import type { Answer, Conversation, Event, Format } from './conversation.ts'
import { type Decision, decide } from './decide.ts'
import { gemini } from './gemini.ts'
import { chat } from './openai-chat.ts'
import { responses } from './openai-responses.ts'
import type { Scenario } from './scenario.ts'

export const formats: readonly Format[] = [anthropic, responses, chat, gemini]

/** A request that the model answered, or to which it reacted with a planned fault. */
export interface Served {
  /** Milliseconds since the model started. */
  at: number
  path: string
  format?: string
  agent?: string
  step?: number
  fault?: 529 | 'drop' | 'hang'
  broken?: string
  conversation?: Conversation
  answer?: Answer
  body?: unknown
}

export interface Model {
  port: number
  served: Served[]
  close(): Promise<void>
}

/** Serves a scenario on loopback. Port 0 means any free port. */
export const startModel = async (scenario: Scenario, port = 0): Promise<Model> => {
  const served: Served[] = []
  const started = performance.now()
  const note = (one: Omit<Served, 'at'>) =>
    served.push({ at: Math.round(performance.now() - started), ...one })
  const spoiled = new Map<string, number>()
  let ids = 0
  const nextId = () => {
    ids += 1
    return `scripted_${ids}`
  }

  /**
   * Returns the fault of a step until the fault has happened as often as the step says. Steps need no count,
   * because the conversation shows which step is next.
   */
  const faultOf = ({ agent, step, fault }: Decision) => {
    const key = `${agent} ${step}`
    const times = spoiled.get(key) ?? 0
    if (!fault || times >= fault.times) return undefined
    spoiled.set(key, times + 1)
    return fault.kind
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const format = formats.find((each) => each.serves(path))
    const body = await bodyOf(request)
    if (!format || request.method !== 'POST') {
      note({ path: `${request.method} ${path}` })
      return json(response, path.endsWith('/models') ? 200 : 404, { object: 'list', data: [], models: [] })
    }
    const conversation = format.read(body)
    const decision = decide(scenario, conversation, nextId)
    const fault = faultOf(decision)
    const { agent, step, broken, answer } = decision
    note({ path, format: format.name, agent, step, fault, broken, conversation, answer, body })
    if (fault === 529) return json(response, 529, format.refuse(529))
    if (fault === 'hang') return
    const asked = body['stream'] === true || path.includes('stream')
    if (!asked && !fault) return json(response, 200, format.whole(answer))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = format.stream(answer).map(lineOf)
    if (!fault) return void response.end(lines.join(''))
    response.write(lines[0])
    setTimeout(() => response.destroy(), 50)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      note({ path: request.url ?? '', broken: String(error) })
      json(response, 500, { error: String(error) })
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  try {
    const text = request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes
    return JSON.parse(text.toString('utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

const lineOf = ({ event, data }: Event): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
