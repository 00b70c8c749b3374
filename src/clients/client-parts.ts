import type { AgentClient } from '../kernel/client-names.ts'
import { isBelow } from '../kernel/path.ts'
import { protocolTexts } from '../spawn/generated/protocols.ts'
import { gitFolders } from '../worktrees/written-folders.ts'
import { hookCommand, hookEvents, hookMark } from './hook-command.ts'
import { inAnyClone } from './merged.ts'
import { openCodePlugin } from './opencode-plugin.ts'
import type { JsonEntry, Part } from './part.ts'
import { agentFile, installedSkill, instructionBlock, skillText } from './shipped-texts.ts'

/** Where a set-up writes its files, and the paths that the files contain. */
export interface Place {
  scope: 'project' | 'user'
  /** The project, or the home folder. The path of each `Part` starts here. */
  root: string
  home: string
  worktrees: string
  /** The folder in which worktrees reserve their ports. */
  ports: string
  /** The folders that agents read: prompts and outputs. Empty in a set-up for all projects. */
  read: readonly string[]
  /** True if `<root>/.git` is a folder. In a linked worktree it is a file. */
  hasRepository: boolean
  /** Reads a file that the user may already have. The path is relative to the root. */
  readText(path: string): string | undefined
}

/** Files that could be committed contain no absolute path. */
export const partsFor = async (client: AgentClient, place: Place): Promise<Part[]> => {
  const parts = await ofClient[client](place)
  return place.scope === 'user' ? [...parts, fallback] : parts
}

const ofClient: Record<AgentClient, (place: Place) => Promise<Part[]>> = {
  async claude(place) {
    const user = place.scope === 'user'
    const settings = user ? '.claude/settings.json' : '.claude/settings.local.json'
    return [
      agent('claude', '.claude/agents/cleo-subagent.md', place),
      await skill('.claude/skills'),
      server(user ? '.claude.json' : '.mcp.json', { type: 'stdio', ...command, alwaysLoad: true }),
      { kind: 'json', path: '.claude/settings.json', entries: hooks('claude', { timeout: 30 }), hooks: true },
      { kind: 'json', path: settings, entries: claudePermissions(place), hooks: true },
      block(user ? '.claude/CLAUDE.md' : instructionFile(place, 'CLAUDE.md')),
    ]
  },
  async codex(place) {
    return [
      agent('codex', '.codex/agents/cleo-subagent.toml', place),
      await skill('.agents/skills'),
      {
        kind: 'toml',
        path: '.codex/config.toml',
        table: 'mcp_servers.cleo',
        text: `command = "cleo"\nargs = ["mcp"]\nenv_vars = ${JSON.stringify(forwarded).replaceAll(',', ', ')}\n`,
        arrays: [{ table: 'sandbox_workspace_write', key: 'writable_roots', items: writableRoots(place) }],
      },
      { kind: 'json', path: '.codex/hooks.json', entries: hooks('codex', { timeout: 30 }), hooks: true },
      block(place.scope === 'user' ? '.codex/AGENTS.md' : 'AGENTS.md'),
    ]
  },
  async gemini(place) {
    const entries = [
      serverEntry(command),
      ...geminiAccess(place),
      ...folders(place),
      ...hooks('gemini', { timeout: 30_000 }),
    ]
    return [
      agent('gemini', '.gemini/agents/cleo-subagent.md', place),
      await skill('.agents/skills'),
      { kind: 'file', path: geminiPolicy, text: policyText },
      ...(place.scope === 'user'
        ? []
        : [{ kind: 'file', path: geminiIgnore, text: ignoreText(place) } as const]),
      { kind: 'json', path: '.gemini/settings.json', entries, hooks: true },
      block(place.scope === 'user' ? '.gemini/GEMINI.md' : 'GEMINI.md'),
    ]
  },
  async opencode(place) {
    const user = place.scope === 'user'
    const base = user ? '.config/opencode' : '.opencode'
    const config = user ? `${base}/opencode` : 'opencode'
    const path = place.readText(`${config}.jsonc`) === undefined ? `${config}.json` : `${config}.jsonc`
    const value = { type: 'local', command: ['cleo', 'mcp'], enabled: true }
    return [
      agent('opencode', `${base}/agents/cleo-subagent.md`, place),
      await skill('.agents/skills'),
      { kind: 'file', path: `${base}/plugins/cleo.js`, text: openCodePlugin },
      { kind: 'json', path, entries: [{ at: ['mcp', 'cleo'], value }] },
      block(user ? `${base}/AGENTS.md` : 'AGENTS.md'),
    ]
  },
  async copilot(place) {
    const user = place.scope === 'user'
    const base = user ? '.copilot' : '.github'
    return [
      agent('copilot', `${base}/agents/cleo-subagent.agent.md`, place),
      await skill('.agents/skills'),
      user
        ? server('.copilot/mcp-config.json', { type: 'local', ...command, tools: ['*'] })
        : server('.mcp.json', { type: 'stdio', ...command, alwaysLoad: true }),
      { kind: 'file', path: `${base}/hooks/cleo.json`, text: copilotHooks },
      block(user ? '.copilot/copilot-instructions.md' : 'AGENTS.md'),
    ]
  },
  async qwen(place) {
    const entries = [
      serverEntry({ ...command, alwaysLoadTools: true }),
      // Without a terminal, Qwen cannot ask a person, so it hides the shell unless some command is allowed.
      ...items(['permissions', 'allow'], ['run_shell_command(cleo *)', 'mcp__cleo']),
      ...folders(place),
      ...hooks('qwen', {}),
    ]
    return [
      agent('qwen', '.qwen/agents/cleo-subagent.md', place),
      await skill('.qwen/skills'),
      { kind: 'json', path: '.qwen/settings.json', entries, hooks: true },
      block(place.scope === 'user' ? '.qwen/QWEN.md' : 'QWEN.md'),
    ]
  },
  async cursor(place) {
    return [
      agent('cursor', '.cursor/agents/cleo-subagent.md', place),
      await skill(place.scope === 'user' ? '.cursor/skills' : '.agents/skills'),
      server('.cursor/mcp.json', command),
      { kind: 'json', path: '.cursor/hooks.json', entries: cursorHooks },
      ...(place.scope === 'user' ? [] : [block('AGENTS.md')]),
    ]
  },
}

const command = { command: 'cleo', args: ['mcp'] }

/**
 * The variables that Codex must pass to CLEO's MCP server, because Codex passes only a few by default. The client's
 * file contains only the names of these variables, so it does not reveal the address of the database.
 */
const forwarded = [
  'CLEO_AGENT_ID',
  'CLEO_DATABASE_URL',
  'CLEO_PROJECT',
  'CLEO_SESSION_ID',
  'USER',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
]

const agent = (client: AgentClient, path: string, place: Place): Part => ({
  kind: 'file',
  path,
  // The project id differs in every clone. So replace it by a pattern, to get the same file in all clones.
  text: agentFile(client, inAnyClone(underHome(place, place.worktrees))),
})

const skill = async (folder: string): Promise<Part> => ({
  kind: 'file',
  path: `${folder}/${installedSkill}/SKILL.md`,
  text: await skillText(),
})

const serverEntry = (value: JsonEntry['value']): JsonEntry => ({ at: ['mcpServers', 'cleo'], value })

const server = (path: string, value: JsonEntry['value']): Part => ({
  kind: 'json',
  path,
  entries: [serverEntry(value)],
})

const block = (path: string): Part => ({ kind: 'block', path, text: instructionBlock })

/** If the client's own file includes AGENTS.md, CLEO's instructions go into AGENTS.md. */
const instructionFile = ({ readText }: Place, path: string): string =>
  /^@(\.\/)?AGENTS\.md\s*$/m.test(readText(path) ?? '') ? 'AGENTS.md' : path

const hooks = (client: AgentClient, more: { timeout?: number }): JsonEntry[] =>
  hookEvents[client].map((event) => ({
    at: ['hooks', event],
    value: { hooks: [{ type: 'command', command: hookCommand(client, event), ...more }] },
    item: true,
    own: hookMark,
  }))

/** Unlike other clients, Cursor has a plain list of hooks for each event, without groups. */
const cursorHooks: JsonEntry[] = [
  { at: ['version'], value: 1 },
  ...hookEvents.cursor.map(
    (event): JsonEntry => ({
      at: ['hooks', event],
      value: { command: hookCommand('cursor', event) },
      item: true,
      own: hookMark,
    }),
  ),
]

const items = (at: readonly string[], values: readonly string[]): JsonEntry[] =>
  values.map((value) => ({ at, value, item: true }))

const claudePermissions = ({ scope, worktrees, read }: Place): JsonEntry[] => [
  ...items(
    ['permissions', 'allow'],
    ['Bash(cleo *)', 'mcp__cleo', ...read.map((folder) => `Read(/${folder}/**)`)],
  ),
  ...items(['permissions', 'additionalDirectories'], [worktrees]),
  ...(scope === 'project' ? items(['enabledMcpjsonServers'], ['cleo']) : []),
]

const geminiPolicy = '.gemini/policies/cleo.toml'
const geminiIgnore = '.gemini/cleo.ignore'

/** Without a terminal, Gemini cannot ask a person, so it hides every tool that is not allowed. */
const policyText = `# Written by \`cleo setup gemini\`; \`cleo setup gemini --undo\` removes it.
[[rule]]
toolName = "run_shell_command"
commandPrefix = "cleo"
decision = "allow"
priority = 200

[[rule]]
mcpName = "cleo"
toolName = "*"
decision = "allow"
priority = 200
`

/**
 * Gemini refuses to read files that git ignores, and git ignores most of `.cleo`. Gemini reads this ignore file after
 * git's ignore files, so its lines can allow the prompts again.
 */
const ignoreText = ({ root, read }: Place): string => {
  const folders = [
    '.cleo/rcasd',
    ...read.flatMap((path) => (isBelow(root, path) ? path.slice(root.length + 1) : [])),
  ]
  return [
    '# Written by `cleo setup gemini`: agents read their prompts, which git ignores, and nothing else of .cleo.',
    '!/.cleo/',
    '/.cleo/*',
    '!/.cleo/config.json',
    ...folders.flatMap((folder) => [`!/${folder}/`, `!/${folder}/**`]),
    '',
  ].join('\n')
}

/**
 * Gemini uses a project's policies only if the setting `policyPaths` names them. This setting replaces the user's own
 * policy folder, so it must name that folder too. A set-up for all projects needs no `policyPaths`, because its policy
 * is in the user's policy folder.
 */
const geminiAccess = ({ scope }: Place): JsonEntry[] =>
  scope === 'user'
    ? [{ at: ['context', 'fileFiltering', 'respectGitIgnore'], value: false }]
    : [
        ...items(['policyPaths'], [geminiPolicy, '~/.gemini/policies']),
        ...items(['context', 'fileFiltering', 'customIgnoreFilePaths'], [geminiIgnore]),
      ]

/**
 * Writes a path below the home folder with `~`, so that it is valid for every user. Returns undefined for other
 * paths.
 */
const underHome = ({ home }: Place, path: string): string | undefined =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : undefined

const folders = (place: Place): JsonEntry[] => {
  const path = place.scope === 'user' ? place.worktrees : underHome(place, place.worktrees)
  return items(['context', 'includeDirectories'], path ? [path] : [])
}

/** The sandbox of Codex lets an agent in a worktree write to these folders. Relative paths start in `.codex`. */
const writableRoots = (place: Place): string[] => {
  const outside = [place.worktrees, place.ports].flatMap(
    (path) => (place.scope === 'user' ? path : underHome(place, path)) ?? [],
  )
  const git = ['objects', ...gitFolders].map((name) => `../.git/${name}`)
  return [...(place.scope === 'project' ? ['../.cleo', ...(place.hasRepository ? git : [])] : []), ...outside]
}

const copilotHooks = `${JSON.stringify(
  {
    version: 1,
    hooks: Object.fromEntries(
      hookEvents.copilot.map((event) => [
        event,
        [{ type: 'command', bash: hookCommand('copilot', event), timeoutSec: 30 }],
      ]),
    ),
  },
  null,
  2,
)}\n`

/** The base protocol, for agents that have lost their prompt. Prompts name the path of this file. */
const fallback: Part = { kind: 'file', path: '.cleo/templates/CLEO-INJECTION.md', text: protocolTexts.base }
