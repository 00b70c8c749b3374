import type { AgentClient } from '../kernel/client-names.ts'

export interface ClientFacts {
  title: string
  /** The name of the program on PATH. */
  program: string
  /** The client's folder in a project. */
  folder: string
  /** The client's folder in the home folder. */
  home: string
  /** How the client starts a shell for its commands. This decides the PATH of these commands. */
  shell: readonly [string, ...string[]]
  /** What a person has to do before the client calls hooks; undefined if nothing. */
  trust?: string
  /** What a person has to do in a project before the client starts CLEO's MCP server; undefined if nothing. */
  approve?: string
  /** What CLEO cannot do with this client, in sentences for a person. */
  limits: readonly string[]
}

export const clientFacts: Record<AgentClient, ClientFacts> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    folder: '.claude',
    home: '.claude',
    shell: ['bash', '-lc'],
    limits: [],
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    folder: '.codex',
    home: '.codex',
    shell: ['bash', '-lc'],
    trust: 'start codex in this project, trust the project, and approve the hooks in /hooks',
    limits: [],
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    folder: '.gemini',
    home: '.gemini',
    shell: ['bash', '-c'],
    trust: 'start gemini in this project, trust the folder, and accept the agent cleo-subagent',
    limits: [
      'CLEO cannot tell the calls of a subagent from those of its session, so it does not add a forgotten --as',
    ],
  },
  opencode: {
    title: 'OpenCode',
    program: 'opencode',
    folder: '.opencode',
    home: '.config/opencode',
    shell: ['bash', '-c'],
    limits: ['hooks can keep a subagent from stopping too early, but not a main session'],
  },
  copilot: {
    title: 'Copilot CLI',
    program: 'copilot',
    folder: '.github',
    home: '.copilot',
    shell: ['bash', '-c'],
    trust: 'start copilot in this project and trust the folder',
    limits: ['the worktrees have to be allowed with --add-dir'],
  },
  qwen: {
    title: 'Qwen Code',
    program: 'qwen',
    folder: '.qwen',
    home: '.qwen',
    shell: ['bash', '-c'],
    approve: "allow CLEO's MCP server in this project: qwen mcp approve cleo",
    limits: [],
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor-agent',
    folder: '.cursor',
    home: '.cursor',
    shell: ['bash', '-c'],
    limits: ['the hooks were never tested with the real program'],
  },
}
