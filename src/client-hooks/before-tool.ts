import type { Host } from '../host/host.ts'
import { type AgentRecord, knownAgent, noteToolCall } from './agent-record.ts'
import type { HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'
import { isWriteTool } from './write-tools.ts'

/**
 * Answers the hook that runs before a tool call. Returns nothing for an agent without a spawn, because sessions of a
 * person or an orchestrator are not restricted. Usually reads only the size and age of one small file.
 */
export const beforeTool = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> => {
  if (startsSubagent(event)) {
    const { recordGivenPrompt } = await import('./given-prompts.ts')
    await recordGivenPrompt(host, root, event)
  }
  if (endsSubagent(event)) {
    const { atSubagentEnd } = await import('./subagent-end.ts')
    return atSubagentEnd(host, root, event)
  }
  const known = knownAgent(host, root, event)
  const command = shellCommand(event)
  const isFresh = known?.isDue === false && (known.hasSpawn || !command?.includes('--as'))
  const isCall = event.toolUse !== undefined && isCleoTool(event.tool)
  // Most calls end here: the agent is known, and this call needs no answer.
  if (isFresh && !isCall && !(known.hasSpawn && concerns(event, command))) return undefined
  const before = await known?.read()
  const record = isFresh && before ? before : await found(host, root, event, before)
  if (isCall) await noteToolCall(host, event.toolUse!, record.spawn)
  if (record.spawn === null) return undefined
  const { answerForSpawn } = await import('./answer-for-spawn.ts')
  const renew = () => found(host, root, event, record)
  return answerForSpawn(host, { event, command, spawn: record.spawn, record, renew })
}

/** Whether CLEO checks this tool call of a spawn's agent: a write, or a shell command with `cleo` or `stash`. */
const concerns = ({ tool = '' }: HookEvent, command: string | undefined): boolean =>
  command === undefined ? isWriteTool(tool) : command.includes('cleo') || command.includes('stash')

const found = async (host: Host, root: string, event: HookEvent, before: AgentRecord | undefined) => {
  const { findAgent } = await import('./find-agent.ts')
  return findAgent(host, root, event, before)
}

/**
 * Whether a call starts a subagent. CLEO must record the prompt from such a call, because later hooks do not get the
 * prompt. Claude, Copilot and Qwen do not pass it to the hooks for the start and stop of a subagent. Gemini does not
 * have these two hooks.
 */
const startsSubagent = ({ client, tool }: HookEvent): boolean =>
  (client === 'claude' && (tool === 'Agent' || tool === 'Task')) ||
  (client === 'gemini' && tool === 'invoke_agent') ||
  (client === 'copilot' && tool === 'task') ||
  (client === 'qwen' && tool === 'agent')

/** Subagents of Gemini return their result with a tool that no other agent has. */
const endsSubagent = ({ client, tool }: HookEvent): boolean => client === 'gemini' && tool === 'complete_task'

/** Clients name the tools of an MCP server called `cleo` in two ways. */
const isCleoTool = (tool = ''): boolean => tool.startsWith('mcp__cleo__') || tool.startsWith('mcp_cleo_')

const shellTools = ' bash shell local_shell exec_command run_shell_command run_terminal_cmd powershell '

const shellCommand = ({ tool = '', input }: HookEvent): string | undefined => {
  if (!shellTools.includes(` ${tool.toLowerCase()} `)) return undefined
  const given = input['command'] ?? input['cmd']
  if (typeof given === 'string') return given
  // Older versions of Codex give a list of three words: `bash`, `-lc` and the command.
  const last: unknown = Array.isArray(given) && given.length === 3 ? given[2] : undefined
  return typeof last === 'string' ? last : undefined
}
