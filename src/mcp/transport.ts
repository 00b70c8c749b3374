import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import type { LineChannel } from '../host/node-lines.ts'
import { inputLimits } from '../kernel/input-limits.ts'
import { jsonExtent } from '../surface/cli/standard-input.ts'

/**
 * Reads and writes one message per line. Unlike the SDK's transport, it also answers lines that are not messages,
 * and it continues after a line that is too long. This transport closes only after it has answered every request,
 * because some clients close their output right after the last request.
 */
export const lineTransport = (lines: LineChannel): Transport => {
  const unanswered = new Set<unknown>()
  let hasEnded = false
  let isClosed = false
  const send = (message: object): void => lines.write(JSON.stringify(message))
  const refuse = (id: unknown, code: number, message: string): void =>
    send({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })
  const closeIfDone = (): void => {
    if (hasEnded && unanswered.size === 0) void transport.close()
  }
  const receive = (line: string): void => {
    if (isTooDeep(line))
      return refuse(
        idIn(line.slice(0, 4096)) ?? idIn(line.slice(-4096)),
        ProtocolErrorCode.InvalidRequest,
        `The message is nested deeper than ${inputLimits.jsonDepth} levels.`,
      )
    let given: unknown
    try {
      given = JSON.parse(line)
    } catch {
      return refuse(null, ProtocolErrorCode.ParseError, 'The line is not JSON.')
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(given)
    } catch {
      const why = Array.isArray(given)
        ? 'Batches are not supported: send one message per line.'
        : wrongMessage
      return refuse(idOf(given), ProtocolErrorCode.InvalidRequest, why)
    }
    if ('method' in message) {
      if ('id' in message) unanswered.add(message.id)
      else if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.['requestId'])
    }
    transport.onmessage?.(message)
  }
  const transport: Transport = {
    start: async () =>
      lines.listen({
        line: receive,
        tooLong: ({ start, end, bytes }) =>
          refuse(
            idIn(start) ?? idIn(end),
            ProtocolErrorCode.InvalidRequest,
            `The message has ${bytes} bytes; the limit is ${maxMessageBytes}.`,
          ),
        end: () => {
          hasEnded = true
          closeIfDone()
        },
      }),
    send: async (message) => {
      send(message)
      if (!('method' in message)) unanswered.delete(message.id)
      closeIfDone()
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      transport.onclose?.()
    },
  }
  return transport
}

/** The largest message. The largest batch of tasks (32 MiB) fits into it as JSON. */
export const maxMessageBytes = 64 << 20

/** Whether a value is nested so deeply that recursive code could overflow the stack. */
const isTooDeep = (line: string): boolean => {
  const most = { depth: inputLimits.jsonDepth, items: Number.POSITIVE_INFINITY }
  return jsonExtent(line, most).depth > inputLimits.jsonDepth
}

const wrongMessage = 'The line is not a JSON-RPC message.'

const idOf = (given: unknown): unknown => {
  const id = (given as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/**
 * Finds the id of a message that could not be parsed, so that the sender gets an answer. Ignores ids of tasks in the
 * message.
 */
const idIn = (part: string): number | string | undefined => {
  for (const pattern of idPatterns) {
    const found = pattern.exec(part)?.[1]
    if (found !== undefined) return JSON.parse(found) as number | string
  }
  return undefined
}

const idPatterns = [
  /"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+|"[^"\\]{1,200}")/,
  /"id"\s*:\s*(\d+|"[^"\\]{1,200}")\s*,\s*"(?:method|jsonrpc)"/,
  /"id"\s*:\s*(\d+|"[^"\\]{1,200}")\s*\}\s*$/,
]
