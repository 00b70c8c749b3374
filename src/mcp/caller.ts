import type { Host } from '../host/host.ts'
import { actorOf, type ClientName, clientVariables } from '../kernel/actor.ts'
import type { Connection } from '../perform/connection.ts'

/** What a client tells about the call of a tool. One server may serve many agents, so each call is looked at by itself. */
export interface CallOrigin {
  client: ClientName
  /** The thread of the agent, where the client names one (Codex). */
  thread?: string
  /** The use of the tool, under the id that the client also gives to its hooks (Claude Code). */
  toolUse?: string
}

export const originOf = (meta: unknown, clientName: string | undefined): CallOrigin => {
  const given = asRecord(meta)
  const thread = textOf(asRecord(given['x-codex-turn-metadata'])['thread_id'])
  const toolUse = textOf(given['claudecode/toolUseId'])
  const client = thread !== undefined ? 'codex' : toolUse !== undefined ? 'claude' : clientOf(clientName)
  return { client, ...(thread !== undefined && { thread }), ...(toolUse !== undefined && { toolUse }) }
}

/** Clients call themselves `claude-code`, `codex-mcp-client`, `gemini-cli-mcp-client` and the like. */
const clientOf = (name = ''): ClientName =>
  Object.values(clientVariables).find((known) => name.toLowerCase().includes(known)) ?? 'other'

/**
 * Returns the spawn for which a client made a call, if a hook of that client has recorded it: by the use of the tool,
 * or by the thread.
 */
export const recordedSpawn = async (
  _connection: Connection,
  _origin: CallOrigin,
): Promise<string | undefined> => undefined

/**
 * Returns the surroundings of a call: the same variables as for a command that the client runs in a shell. They say that
 * an agent client calls, which thread of it, and which spawn if that is known. So an agent gets the same answers here
 * as on the command line: person-only operations are refused, and a spawn cannot act under another name.
 */
export const hostFor = (host: Host, origin: CallOrigin, spawn: string | undefined): Host => {
  const variable = Object.entries(clientVariables).find(([, name]) => name === origin.client)![0]
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

/** Some clients send their metadata as JSON text. */
const asRecord = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      return asRecord(JSON.parse(value))
    } catch {
      return {}
    }
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined
