import type { SetupClient } from './client-names.ts'

/** The events of each client for which CLEO installs a hook, in the client's own words. None: it has no hooks, or a plugin. */
export const hookEvents: Record<SetupClient, readonly string[]> = {
  claude: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  codex: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  gemini: ['SessionStart', 'BeforeTool', 'AfterAgent'],
  opencode: [],
  copilot: ['sessionStart', 'preToolUse', 'subagentStop', 'agentStop'],
  qwen: ['SessionStart', 'SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop'],
  cursor: ['sessionStart', 'preToolUse', 'subagentStop', 'stop'],
}

/** The text by which a hook of CLEO is recognised. */
export const hookMark = 'cleo hook'

/** Clients that give the agent whatever a hook of the session start prints. The others read JSON only. */
const plainText: readonly SetupClient[] = ['claude', 'codex', 'qwen']

/** Says once per session that the checks are off; a client that reads only JSON gets it on standard error. */
const gone = (client: SetupClient): string =>
  `echo "cleo is not on PATH, so its checks are off."${plainText.includes(client) ? '' : ' >&2'}`

/**
 * The command line of a hook. Where `cleo` is gone it ends with 0, because a hook that fails would block every tool call;
 * otherwise `exec` passes on the answer and the exit status of `cleo`.
 */
export const hookCommand = (client: SetupClient, event: string): string => {
  const missing = /^sessionstart$/i.test(event) ? `{ ${gone(client)}; exit 0; }` : 'exit 0'
  return `command -v cleo >/dev/null 2>&1 || ${missing}; exec ${hookMark} ${client} ${event}`
}
