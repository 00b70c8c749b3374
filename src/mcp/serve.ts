import {
  CLIENT_INFO_META_KEY,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { standardLines } from '../host/node-lines.ts'
import type { Progress, ProgressListener } from '../kernel/progress.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import { type Connection, saveOutside } from '../perform/connection.ts'
import { type KeptConnection, keepConnection } from '../perform/keep-connection.ts'
import { loadRefusals } from '../surface/cli/human.ts'
import type { ServerOptions } from '../surface/cli/servers.ts'
import { toolResult } from './answer.ts'
import { type Answered, answerCall, type ToolCall } from './call.ts'
import { originOf } from './caller.ts'
import { namedTools } from './generated/tools.ts'
import { generalTools, instructions } from './tool.ts'
import { lineTransport, maxMessageBytes } from './transport.ts'

/** Serves MCP over standard input and output, until the client closes the connection and every call has ended. */
export const serveMcp = async (options: ServerOptions): Promise<void> => {
  // Load the code for refusals before it is needed. So the server can refuse calls even after an upgrade has replaced
  // the files of the program.
  await loadRefusals()
  const kept = keepConnection(options.host, options.named)
  const transport = lineTransport(standardLines(maxMessageBytes))
  await new Promise<void>((resolve) => {
    serveStdio(() => serverFor(options, kept), {
      transport,
      onerror: (error) => options.log(`${error.message}\n`),
    })
    // Extend the SDK's handler. Otherwise the server would not end if the client closes the connection before its
    // first message.
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  await kept.close()
}

const tools = [...namedTools.map(({ operation: _, ...tool }) => tool), ...generalTools]

const prompts = [
  {
    name: 'orchestrator',
    description: 'Lead an epic: role, rules, steps and the state of the project.',
    arguments: [{ name: 'epic', description: 'the epic to lead, such as T001', required: false }],
  },
]

const serverFor = (options: ServerOptions, kept: KeptConnection): Server => {
  const server = new Server(
    { name: 'cleo', version },
    { capabilities: { tools: {}, prompts: {} }, instructions, jsonSchemaValidator: noValidator },
  )
  const origin = (context: ServerContext) => {
    const { _meta, envelope } = context.mcpReq
    const { [CLIENT_INFO_META_KEY]: info = server.getClientVersion() } = (envelope ?? {}) as ClientEnvelope
    return originOf(_meta, info?.name)
  }
  server.setRequestHandler('tools/list', () => ({ tools: tools as ListedTool[] }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    if (!tools.some(({ name }) => name === params.name)) throw unknownTool(params.name)
    const progress = progressFor(context)
    return run(options, kept, {
      tool: params.name,
      args: params.arguments ?? {},
      origin: origin(context),
      signal: context.mcpReq.signal,
      ...(progress && { progress }),
    })
  })
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const [prompt] = prompts
    if (params.name !== prompt!.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${params.name}".`)
    const call = { domain: 'orchestrate', operation: 'prime', params: params.arguments ?? {} }
    const answer = await run(options, kept, {
      tool: 'query',
      args: call,
      origin: origin(context),
      signal: context.mcpReq.signal,
    })
    const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (answer.isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text)
    return { description: prompt!.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

/** The part of a request that names the client, in protocol version 2026-07-28. */
interface ClientEnvelope {
  [CLIENT_INFO_META_KEY]?: { name: string }
}

/**
 * A validator that is never called: the SDK validates only a client's answers to questions of the server, and this
 * server asks none.
 */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
}

const unknownTool = (name: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name.slice(0, 200)}". Tools: ${tools.map((tool) => tool.name).join(', ')}.`,
  )

const run = (options: ServerOptions, kept: KeptConnection, call: ToolCall) =>
  kept.use(async (connection) => {
    const answered = await answer(options, connection, call)
    const result = await toolResult(answered, connection)
    const { command, caller } = answered
    if (command?.kind === 'mutate' && answered.result.ok && !caller?.dryRun) void saveLater(kept)
    return result
  })

/** An error that is not a refusal is a bug. It must not end the server, because other agents use the server too. */
const answer = async (options: ServerOptions, connection: Connection, call: ToolCall): Promise<Answered> => {
  try {
    return await answerCall(call, options.host, options.named, connection)
  } catch (error) {
    options.log(`${error instanceof Error ? error.stack : String(error)}\n`)
    return { result: failureOf(error) }
  }
}

const failureOf = (error: unknown): Failure => {
  const { code, message } = error as { code?: string; message?: string }
  // The program loads many files only when it first needs them. If an upgrade has removed such a file since the server
  // started, tell the caller to restart the server instead of reporting a bug.
  const isGone = code === 'ERR_MODULE_NOT_FOUND' || /^Cannot find module /.test(message ?? '')
  return isGone ? fail('program.replaced', {}) : fail('unexpected', { reason: message ?? String(error) })
}

/**
 * Makes a backup of the database outside the project, if one is due. Does this only after the answer to the client
 * was sent.
 */
const saveLater = async (kept: KeptConnection): Promise<void> => {
  const answerIsSent = () => new Promise((resolve) => setTimeout(resolve, 50))
  await kept.use((connection) => saveOutside(connection, answerIsSent)).catch(() => undefined)
}

const leastPauseMs = 250

/**
 * Sends the progress of long work to the client, if the client asked for it. MCP requires progress values that grow.
 * So each value is the number of milliseconds since the call began.
 */
const progressFor = ({ mcpReq }: ServerContext): ProgressListener | undefined => {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return undefined
  const began = performance.now()
  let last = -1
  return async ({ what, line, count, total }: Progress) => {
    const progress = Math.round(performance.now() - began)
    if (last >= 0 && progress - last < leastPauseMs) return
    last = progress
    const counted = count === undefined ? '' : total === undefined ? ` · ${count}` : ` · ${count} of ${total}`
    const message = `${what}${counted}${line ? ` · ${line}` : ''}`.slice(0, 500)
    await mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
      .catch(() => undefined)
  }
}
