import { hookCommand, hookEvents, hookMark } from '../clients/hook-command.ts'
import type { Host } from '../host/host.ts'
import type { AgentSettings, AgentTask } from './agent.ts'
import { allowedCommands } from './allowed-commands.ts'

/**
 * Makes the agent's own subagents run in the foreground, so that the stream has only one result, at its end. Also
 * switches off updates of the client.
 */
export const claudeVariables = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1', DISABLE_AUTOUPDATER: '1' }

const hookSeconds = 30

/**
 * Returns the arguments that start Claude Code without a person to answer its questions. The agent may edit files
 * in its folder, read prompts, and run `cleo`, a few git commands and the project's commands. Everything else is
 * denied.
 */
export const claudeArguments = (
  host: Host,
  { folder, projectRoot, resume }: AgentTask,
  { model, allowed, mcp }: AgentSettings,
): string[] => [
  ...['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
  '--allowedTools',
  [
    ...allowedCommands(allowed).flatMap((start) => [`Bash(${start})`, `Bash(${start} *)`]),
    `Read(/${projectRoot}/.cleo/spawns/**)`,
    ...(mcp ? ['mcp__cleo'] : []),
  ].join(','),
  // Deny `--output`, with which these git commands can write to any file.
  '--disallowedTools',
  'Bash(git diff *--output*),Bash(git log *--output*),Bash(git show *--output*)',
  ...(hasHooks(host, folder) ? [] : ['--settings', JSON.stringify({ hooks: hooksFor('claude') })]),
  ...(mcp
    ? ['--mcp-config', JSON.stringify({ mcpServers: { cleo: mcpServer } }), '--strict-mcp-config']
    : []),
  ...(model === undefined ? [] : [`--model=${model}`]),
  ...(resume === undefined ? [] : [`--resume=${resume}`]),
]

const mcpServer = { type: 'stdio', command: 'cleo', args: ['mcp'], alwaysLoad: true }

/** If the folder already has the hooks, CLEO must not pass them again as an argument, because they would run twice. */
const hasHooks = ({ files }: Host, folder: string): boolean => {
  const path = `${folder}/.claude/settings.json`
  return files.kind(path) === 'file' && (files.read(path)?.includes(hookMark) ?? false)
}

export interface HookGroup {
  hooks: { type: 'command'; command: string; timeout: number }[]
}

export const hooksFor = (client: 'claude' | 'codex'): Record<string, HookGroup[]> =>
  Object.fromEntries(
    hookEvents[client].map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: hookCommand(client, event), timeout: hookSeconds }] }],
    ]),
  )
