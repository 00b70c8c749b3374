import type { Host } from '../host/host.ts'
import { type AgentRecord, knownAgent, noteToolCall } from './agent-record.ts'
import type { HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'
import { isWriteTool } from './write-tools.ts'

/**
 * Answers before a tool call. For an agent without a spawn that is always nothing: a person's or an orchestrator's
 * session is not restricted. Usually only the size and age of one small file are read.
 */
export const beforeTool = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> => {
  if (startsSubagent(event)) {
    const { noteHandOut } = await import('./hand-outs.ts')
    await noteHandOut(host, root, event)
  }
  const known = knownAgent(host, root, event)
  const command = shellCommand(event)
  const isFresh = known?.isDue === false && (known.hasSpawn || !command?.includes('--as'))
  const isCall = event.toolUse !== undefined && isCleoTool(event.tool)
  // Most calls need no more than that the agent is known.
  if (isFresh && !isCall && !(known.hasSpawn && concerns(event, command))) return undefined
  const before = await known?.read()
  const record = isFresh && before ? before : await found(host, root, event, before)
  if (isCall) await noteToolCall(host, event.toolUse!, record.spawn)
  if (record.spawn === null) return undefined
  const { answerForSpawn } = await import('./answer-for-spawn.ts')
  const renew = () => found(host, root, event, record)
  return answerForSpawn(host, { event, command, spawn: record.spawn, record, renew })
}

/** Whether a tool call of a spawn's agent may need an answer. */
const concerns = ({ tool = '' }: HookEvent, command: string | undefined): boolean =>
  command === undefined ? isWriteTool(tool) : command.includes('cleo') || command.includes('stash')

const found = async (host: Host, root: string, event: HookEvent, before: AgentRecord | undefined) => {
  const { findAgent } = await import('./find-agent.ts')
  return findAgent(host, root, event, before)
}

/** Claude tells a hook neither at the start nor at the end of a subagent what its prompt was. */
const startsSubagent = ({ client, tool }: HookEvent): boolean =>
  client === 'claude' && (tool === 'Agent' || tool === 'Task')

/** The names that clients give to the tools of an MCP server called `cleo`. */
const isCleoTool = (tool = ''): boolean => tool.startsWith('mcp__cleo__') || tool.startsWith('mcp_cleo_')

const shellTools = ' bash shell local_shell exec_command run_shell_command run_terminal_cmd powershell '

const shellCommand = ({ tool = '', input }: HookEvent): string | undefined => {
  if (!shellTools.includes(` ${tool.toLowerCase()} `)) return undefined
  const given = input['command'] ?? input['cmd']
  if (typeof given === 'string') return given
  // Older versions of Codex give the words of `bash -lc …`.
  const last: unknown = Array.isArray(given) && given.length === 3 ? given[2] : undefined
  return typeof last === 'string' ? last : undefined
}
