/** The agent clients that CLEO can set up and whose hooks it handles. */
export const clientNames = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'cursor'] as const
export type AgentClient = (typeof clientNames)[number]
