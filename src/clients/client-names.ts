/** The agent clients that CLEO can set up. */
export const clientNames = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'cursor'] as const
export type SetupClient = (typeof clientNames)[number]

export interface ClientFacts {
  title: string
  /** The program, as it is called on PATH. */
  program: string
  /** Its folder in a project and in the home folder. */
  folder: string
  home: string
  /** How the client starts a shell for its commands, as far as PATH depends on it. */
  shell: readonly [string, ...string[]]
  /** Arguments for one turn that answers with a word. */
  turn: readonly string[]
  /** What a person has to do before the client calls hooks; undefined if nothing. */
  trust?: string
  /** What CLEO cannot do in this client. */
  limits: readonly string[]
}

const question = 'Answer with the single word ready. Use no tool.'

export const clientFacts: Record<SetupClient, ClientFacts> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    folder: '.claude',
    home: '.claude',
    shell: ['bash', '-lc'],
    turn: ['-p', question, '--max-turns', '1'],
    limits: [],
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    folder: '.codex',
    home: '.codex',
    shell: ['bash', '-lc'],
    turn: ['exec', question],
    trust: 'start codex in this project, trust the project, and approve the hooks in /hooks',
    limits: [],
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    folder: '.gemini',
    home: '.gemini',
    shell: ['bash', '-c'],
    turn: ['-p', question],
    trust: 'start gemini in this project, trust the folder, and accept the agent cleo-subagent',
    limits: ['a subagent cannot be stopped from ending; only the main agent can'],
  },
  opencode: {
    title: 'OpenCode',
    program: 'opencode',
    folder: '.opencode',
    home: '.config/opencode',
    shell: ['bash', '-c'],
    turn: ['run', question],
    limits: ['no agent can be stopped from ending; tool calls can be denied'],
  },
  copilot: {
    title: 'Copilot CLI',
    program: 'copilot',
    folder: '.github',
    home: '.copilot',
    shell: ['bash', '-c'],
    turn: ['-p', question],
    trust: 'start copilot in this project and trust the folder',
    limits: ['the worktrees have to be allowed with --add-dir'],
  },
  qwen: {
    title: 'Qwen Code',
    program: 'qwen',
    folder: '.qwen',
    home: '.qwen',
    shell: ['bash', '-c'],
    turn: ['-p', question],
    limits: [],
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor-agent',
    folder: '.cursor',
    home: '.cursor',
    shell: ['bash', '-c'],
    turn: ['-p', question],
    limits: ['its hooks were not tried with the real program'],
  },
}
