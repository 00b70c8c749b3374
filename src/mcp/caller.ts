import { knownAgent, spawnOfToolCall } from '../client-hooks/agent-record.ts'
import type { Host } from '../host/host.ts'
import { actorOf, type ClientName, clientVariables } from '../kernel/actor.ts'
import { isObject, type JsonObject } from '../kernel/json-object.ts'
import type { Connection } from '../perform/connection.ts'

/**
 * What a client says about the origin of a tool call. One server can serve many agents, so each call has its own
 * origin.
 */
export interface CallOrigin {
  client: ClientName
  /** The thread of the agent. Only Codex gives it. */
  thread?: string
  /** The id of this tool call. Only Claude Code gives it, and gives the same id to its hooks. */
  toolUse?: string
}

export const originOf = (meta: unknown, clientName: string | undefined): CallOrigin => {
  const given = asRecord(meta)
  const thread = textOf(asRecord(given['x-codex-turn-metadata'])['thread_id'])
  const toolUse = textOf(given['claudecode/toolUseId'])
  const client = thread !== undefined ? 'codex' : toolUse !== undefined ? 'claude' : clientOf(clientName)
  return { client, ...(thread !== undefined && { thread }), ...(toolUse !== undefined && { toolUse }) }
}

/**
 * Finds the client by the name that it gives itself, such as `claude-code`, `codex-mcp-client` or
 * `gemini-cli-mcp-client`.
 */
const clientOf = (name = ''): ClientName =>
  Object.values(clientVariables()).find((known) => name.toLowerCase().includes(known)) ?? 'other'

/** Returns the spawn for which a client made a call, if a hook of that client has recorded it. */
export const recordedSpawn = async (
  connection: Connection,
  { client, thread, toolUse }: CallOrigin,
): Promise<string | undefined> => {
  const { host } = connection
  if (toolUse !== undefined) return (await spawnOfToolCall(host, toolUse)) ?? undefined
  if (client !== 'codex' || thread === undefined) return undefined
  const { root } = await connection.project()
  return (await knownAgent(host, root, { client, session: thread })?.read())?.spawn ?? undefined
}

/**
 * Returns a host with the environment variables that a shell command of the client would have. They name the agent
 * client, its thread and, if known, the spawn. So CLEO treats the agent like an agent on the command line: CLEO
 * refuses person-only operations, and a spawn cannot act under another name.
 */
export const hostFor = (host: Host, origin: CallOrigin, spawn: string | undefined): Host => {
  const variable = Object.entries(clientVariables()).find(([, name]) => name === origin.client)![0]
  return {
    ...host,
    env: {
      ...host.env,
      [variable]: origin.thread ?? (host.env[variable] || 'mcp'),
      ...(spawn !== undefined && { CLEO_AGENT_ID: spawn }),
    },
  }
}

export const actorFor = ({ env, user }: Host, named: string | undefined) =>
  actorOf(named, env['CLEO_AGENT_ID'], user)

/** Some clients send the metadata as JSON text. */
const asRecord = (value: unknown): JsonObject => {
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      return asRecord(JSON.parse(value))
    } catch {
      return {}
    }
  }
  return isObject(value) ? value : {}
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined
