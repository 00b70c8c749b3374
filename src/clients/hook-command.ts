import type { AgentClient } from '../kernel/client-names.ts'

/**
 * The events for which CLEO installs a hook in each client, by the client's own names. The list is empty if the client
 * has no hooks, or gets a plugin instead.
 */
export const hookEvents: Record<AgentClient, readonly string[]> = {
  claude: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  codex: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  gemini: ['SessionStart', 'BeforeTool', 'AfterAgent'],
  opencode: [],
  copilot: ['sessionStart', 'preToolUse', 'subagentStop', 'agentStop'],
  qwen: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  cursor: ['sessionStart', 'preToolUse', 'subagentStop', 'stop'],
}

/** A hook whose command contains this text belongs to CLEO. */
export const hookMark = 'cleo hook'

/** Clients that accept any text from a session-start hook. The other clients accept only JSON. */
const plainText: readonly AgentClient[] = ['claude', 'codex', 'qwen']

/**
 * The command that runs at the start of a session if `cleo` is missing. If the client accepts only JSON, the command
 * prints to standard error.
 */
const gone = (client: AgentClient): string =>
  `echo "cleo is not on PATH, so its checks are off."${plainText.includes(client) ? '' : ' >&2'}`

/**
 * If `cleo` is not on PATH, the command exits with 0, because a failing hook would block every tool call. Otherwise the
 * command runs `cleo` with `exec`, so that the client gets the output and the exit status of `cleo`.
 */
export const hookCommand = (client: AgentClient, event: string): string => {
  const missing = /^sessionstart$/i.test(event) ? `{ ${gone(client)}; exit 0; }` : 'exit 0'
  return `command -v cleo >/dev/null 2>&1 || ${missing}; exec ${hookMark} ${client} ${event}`
}
