import type { Host } from '../host/host.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { isObject, type JsonObject } from '../kernel/json-object.ts'

/** The kinds of events, independent of the names that clients give them. */
export type EventKind = 'session start' | 'subagent start' | 'before tool' | 'subagent stop' | 'stop'

/** The clients' own names of the events, in lower case. */
const kinds: Readonly<Record<string, EventKind>> = {
  sessionstart: 'session start',
  'session.created': 'session start',
  'session.compacted': 'session start',
  subagentstart: 'subagent start',
  pretooluse: 'before tool',
  beforetool: 'before tool',
  beforeshellexecution: 'before tool',
  'tool.execute.before': 'before tool',
  subagentstop: 'subagent stop',
  stop: 'stop',
  agentstop: 'stop',
  afteragent: 'stop',
}

export const kindOf = (event: string): EventKind | undefined => {
  const name = event.toLowerCase()
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

/** A call of a hook, in one form for all clients. */
export interface HookEvent {
  client: AgentClient
  kind: EventKind
  /** The event as the client names it. */
  name: string
  cwd?: string
  /** The client's session; for Codex, the thread. */
  session?: string
  /** The id of the subagent, if a subagent acts. */
  agent?: string
  agentType?: string
  /**
   * The file with the conversation of the acting subagent. If no subagent acts, the file with the conversation of the
   * session.
   */
  transcript?: string
  tool?: string
  toolUse?: string
  input: Record<string, unknown>
  /** The last message of an agent that stops; undefined if the client does not pass it on. */
  message?: string
  /** The prompt of the agent; undefined if the client does not pass it on. */
  prompt?: string
}

type Raw = JsonObject

const textOf = (raw: Raw, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = raw[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/**
 * Environment variables that name the acting agent. They are read for clients whose hook input does not always name
 * the agent.
 */
const agentVariables: Partial<Record<AgentClient, string>> = {
  qwen: 'QWEN_CODE_AGENT_ID',
  copilot: 'COPILOT_AGENT_SESSION_ID',
}

/** Ignores unknown fields and fields of the wrong type. */
export const readEvent = (
  raw: Raw,
  client: AgentClient,
  name: string,
  kind: EventKind,
  { env }: Pick<Host, 'env'>,
): HookEvent => {
  // For a subagent, Copilot gives the subagent's id as the session and the session's id as the parent.
  const session = textOf(raw, 'parentAgentId', 'session_id', 'sessionId', 'sessionID', 'conversation_id')
  const variable = agentVariables[client]
  const fromEnvironment = variable && env[variable] !== session ? env[variable] || undefined : undefined
  const agent = textOf(raw, 'agent_id', 'agentId') ?? fromEnvironment
  const own = textOf(raw, 'transcript_path', 'transcriptPath')
  const roots = raw['workspace_roots']
  const cwd =
    textOf(raw, 'cwd', 'directory') ??
    (Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : undefined)
  const event: HookEvent = { client, kind, name, input: inputOf(raw) }
  const set = <K extends keyof HookEvent>(key: K, value: HookEvent[K] | undefined): void => {
    if (value !== undefined) event[key] = value
  }
  set('cwd', cwd)
  set('session', session)
  set('agent', agent)
  set('agentType', textOf(raw, 'agent_type', 'agentType', 'agent_name', 'agentName'))
  const given = textOf(raw, 'agent_transcript_path', 'agentTranscriptPath')
  // Ignore the path of a subagent's conversation if it equals the path of the session's conversation. Qwen gives the
  // session's path even for a subagent.
  set('transcript', given !== undefined && given !== own ? given : subagentTranscript(client, own, agent))
  set('tool', textOf(raw, 'tool_name', 'toolName', 'tool') ?? (textOf(raw, 'command') && 'Shell'))
  // Prefer `tool_call_id`: the id of a Qwen subagent ends with the `tool_call_id` of the call that started it, so CLEO
  // can find that call.
  set('toolUse', textOf(raw, 'tool_call_id', 'tool_use_id', 'toolUseId', 'callID'))
  set('message', messageOf(raw))
  set('prompt', textOf(raw, 'prompt', 'initialPrompt'))
  return event
}

/** Some clients give the arguments as JSON text. Cursor gives a shell command directly. */
const inputOf = (raw: Raw): Raw => {
  const given = raw['tool_input'] ?? raw['toolArgs'] ?? raw['args']
  if (isObject(given)) return given
  if (typeof given === 'string' && given.startsWith('{')) {
    try {
      const parsed: unknown = JSON.parse(given)
      if (isObject(parsed)) return parsed
    } catch {
      // The text is not JSON, so it contains no arguments.
    }
  }
  return typeof raw['command'] === 'string' ? { command: raw['command'] } : {}
}

/** For Gemini, returns only the last line, because Gemini passes on everything that the agent said in its turn. */
const messageOf = (raw: Raw): string | undefined => {
  const last = textOf(raw, 'last_assistant_message', 'lastAssistantMessage', 'response')
  if (last !== undefined) return last
  return textOf(raw, 'prompt_response')?.trimEnd().split('\n').at(-1)
}

/**
 * Returns the file with the conversation of the acting agent. Claude, Copilot and Qwen name the session's file even if
 * a subagent acts. For a subagent of Claude, returns the subagent's own file. It is in a folder next to the session's
 * file. For a subagent of Copilot or Qwen, returns undefined. The reason is that CLEO looks for the subagent's prompt
 * at the beginning of the file, and the session's file does not begin with that prompt.
 */
const subagentTranscript = (
  client: AgentClient,
  session: string | undefined,
  agent: string | undefined,
): string | undefined => {
  if (agent === undefined) return session
  if (client === 'copilot' || client === 'qwen') return undefined
  return client === 'claude' && session?.endsWith('.jsonl')
    ? `${session.slice(0, -'.jsonl'.length)}/subagents/agent-${agent}.jsonl`
    : session
}
