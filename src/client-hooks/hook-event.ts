import type { Host } from '../host/host.ts'

export const hookClients = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'cursor'] as const
export type HookClient = (typeof hookClients)[number]

/** What happens in a client, whatever the client calls it. */
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
  client: HookClient
  kind: EventKind
  /** The event as the client names it. */
  name: string
  cwd?: string
  /** The client's session; for Codex, the thread. */
  session?: string
  /** The subagent, if one acts. */
  agent?: string
  agentType?: string
  /** The file with the conversation of whoever acts. */
  transcript?: string
  tool?: string
  toolUse?: string
  input: Record<string, unknown>
  /** The last message of an agent that stops, if the client tells. */
  message?: string
  /** The prompt that the agent works on, if the client tells. */
  prompt?: string
}

type Raw = Record<string, unknown>

const textOf = (raw: Raw, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = raw[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Variables in which a client names the agent that acts, if its hooks do not say so. */
const agentVariables: Partial<Record<HookClient, string>> = {
  qwen: 'QWEN_CODE_AGENT_ID',
  copilot: 'COPILOT_AGENT_SESSION_ID',
}

/** Reads what a client wrote on standard input. Fields that are not known, or of another type, are left alone. */
export const readEvent = (
  raw: Raw,
  client: HookClient,
  name: string,
  kind: EventKind,
  { env }: Pick<Host, 'env'>,
): HookEvent => {
  const session = textOf(raw, 'session_id', 'sessionId', 'sessionID', 'conversation_id')
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
  set(
    'transcript',
    textOf(raw, 'agent_transcript_path', 'agentTranscriptPath') ?? subagentTranscript(client, own, agent),
  )
  set('tool', textOf(raw, 'tool_name', 'toolName', 'tool') ?? (textOf(raw, 'command') && 'Shell'))
  set('toolUse', textOf(raw, 'tool_use_id', 'toolUseId', 'callID'))
  set('message', messageOf(raw))
  set('prompt', textOf(raw, 'prompt', 'initialPrompt'))
  return event
}

/** Some clients give the arguments as JSON text; Cursor gives a shell command by itself. */
const inputOf = (raw: Raw): Raw => {
  const given = raw['tool_input'] ?? raw['toolArgs'] ?? raw['args']
  if (isObject(given)) return given
  if (typeof given === 'string' && given.startsWith('{')) {
    try {
      const parsed: unknown = JSON.parse(given)
      if (isObject(parsed)) return parsed
    } catch {
      // Not JSON: there is nothing to judge.
    }
  }
  return typeof raw['command'] === 'string' ? { command: raw['command'] } : {}
}

/** Gemini gives everything that the agent said in its turn, so only the last line can be the return line. */
const messageOf = (raw: Raw): string | undefined => {
  const last = textOf(raw, 'last_assistant_message', 'lastAssistantMessage')
  if (last !== undefined) return last
  return textOf(raw, 'prompt_response')?.trimEnd().split('\n').at(-1)
}

/** Claude names the conversation of the session before a tool call; that of a subagent is in a folder beside it. */
const subagentTranscript = (
  client: HookClient,
  session: string | undefined,
  agent: string | undefined,
): string | undefined =>
  client === 'claude' && agent !== undefined && session?.endsWith('.jsonl')
    ? `${session.slice(0, -'.jsonl'.length)}/subagents/agent-${agent}.jsonl`
    : session
