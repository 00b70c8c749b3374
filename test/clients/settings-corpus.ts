import type { AgentClient } from '../../src/kernel/client-names.ts'

/** A settings file as people have it, and what a set-up does with it. */
export interface SettingsCase {
  name: string
  client: AgentClient
  path: string
  text: string
  /** For a file that the set-up must not change: some words of the problem that it reports. */
  refused?: string
  /** Some words of what the answer says about things that were kept. */
  kept?: string
  /** The path to which the file is a symbolic link. */
  link?: string
  mode?: number
  /** Set for a file whose whitespace an undo can change, if the user has edited the file since the set-up. */
  blanks?: true
}

const hook = (command: string) => `{ "hooks": [{ "type": "command", "command": "${command}" }] }`
const claude = (name: string, text: string, more: Partial<SettingsCase> = {}): SettingsCase => ({
  name,
  client: 'claude',
  path: '.claude/settings.json',
  text,
  ...more,
})
const file = (
  client: AgentClient,
  path: string,
  name: string,
  text: string,
  more: Partial<SettingsCase> = {},
): SettingsCase => ({ name, client, path, text, ...more })

export const settingsCases: readonly SettingsCase[] = [
  claude('an empty object', '{}\n', { blanks: true }),
  claude('an empty object over two lines', '{\n}\n', { blanks: true }),
  claude('an empty file', '', { blanks: true }),
  claude('only a line end', '\n', { blanks: true }),
  claude('one setting', '{\n  "model": "opus"\n}\n'),
  claude('no line end at the end', '{\n  "model": "opus"\n}'),
  claude('four spaces', '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n'),
  claude('tabs', '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'),
  claude('CRLF', '{\r\n  "model": "opus",\r\n  "env": { "A": "1" }\r\n}\r\n'),
  claude('a byte order mark', '\uFEFF{\n  "model": "opus"\n}\n'),
  claude('a byte order mark and CRLF', '\uFEFF{\r\n\t"model": "opus"\r\n}\r\n'),
  claude('one line', '{"model":"opus","permissions":{"allow":["Bash(ls)"]}}'),
  claude('comments', '{\n  // The model of the team.\n  "model": "opus" // not sonnet\n  /* end */\n}\n'),
  claude('a comment alone', '{\n  // Nothing yet.\n}\n', { blanks: true }),
  claude('a trailing comma', '{\n  "model": "opus",\n  "env": {\n    "A": "1",\n  },\n}\n'),
  claude('a trailing comma and a comment', '{\n  "model": "opus", // ours, not "sonnet", {}\n}\n'),
  claude(
    'text that looks like a comment',
    '{\n  "url": "https://example.org/*", "b": "// no, \\" /* no"\n}\n',
  ),
  claude('empty hooks', '{\n  "hooks": {},\n  "model": "opus"\n}\n', { blanks: true }),
  claude(
    'hooks of the user',
    `{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": [\n          { "type": "command", "command": "./guard.sh", "timeout": 5 }\n        ]\n      }\n    ],\n    "Notification": [${hook('say done')}]\n  }\n}\n`,
  ),
  claude('hooks of the user in one line', `{ "hooks": { "Stop": [${hook('true')}] } }\n`),
  claude(
    'hooks with a comment behind the last',
    `{\n  "hooks": {\n    "Stop": [\n      ${hook('true')} // keep\n    ]\n  }\n}\n`,
  ),
  claude(
    'a hook of the user that calls cleo',
    `{\n  "hooks": { "Stop": [${hook('timeout 5 cleo hook claude Stop')}] }\n}\n`,
    {
      kept: 'a hook in hooks.Stop is yours',
    },
  ),
  claude(
    'other kinds of hooks',
    '{\n  "hooks": { "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "Done?" }] }] }\n}\n',
  ),
  claude('hooks that are a list', '{\n  "hooks": []\n}\n', {
    refused: 'has an array in hooks, which must be an object',
  }),
  claude('an event that is text', '{\n  "hooks": { "Stop": "true" }\n}\n', {
    refused: 'has a string in hooks.Stop',
  }),
  claude(
    'an invalid hook of the user',
    '{\n  "hooks": { "Notification": [{ "hooks": [{ "type": "command" }] }] }\n}\n',
    {
      refused: 'has an invalid hook in hooks.Notification[0]: a hook has no command',
    },
  ),
  claude('a group without hooks', '{\n  "hooks": { "Notification": [{ "matcher": "x" }] }\n}\n', {
    refused: 'it has no list of hooks',
  }),
  claude('two equal keys', '{\n  "hooks": {},\n  "hooks": {}\n}\n', { refused: 'has hooks twice' }),
  claude('a list', '[]\n', { refused: 'must be an object, not an array' }),
  claude('half a file', '{\n  "model": "opus",\n', { refused: 'is not JSON' }),
  claude('a missing comma', '{\n  "a": 1\n  "b": 2\n}\n', { refused: 'is not JSON: comma expected at 3:3' }),
  claude('a read-only file', '{\n  "model": "opus"\n}\n', { mode: 0o444, refused: 'is read-only' }),
  claude('a private file', '{\n  "model": "opus"\n}\n', { mode: 0o600 }),
  claude('a link inside the project', '{\n  "model": "opus"\n}\n', { link: 'config/claude.json' }),
  claude('a link that leaves the project', '{\n  "model": "opus"\n}\n', {
    link: '../outside.json',
    refused: 'outside',
  }),
  claude('bytes that are not UTF-8', '{\n  "model": "\uFFFD"\n}\n', { refused: 'is not UTF-8' }),
  file(
    'claude',
    '.claude/settings.local.json',
    'rules that a person allowed',
    '{\n  "permissions": {\n    "allow": [\n      "Bash(npm test)",\n      "Bash(cleo *)"\n    ],\n    "deny": ["Read(.env)"]\n  }\n}\n',
  ),
  file('claude', '.claude/settings.local.json', 'allow is text', '{ "permissions": { "allow": "Bash" } }', {
    refused: 'has a string in permissions.allow, which must be an array',
  }),
  file(
    'claude',
    '.claude/settings.local.json',
    'allow has a number',
    '{ "permissions": { "allow": ["Bash", 1] } }',
    {
      refused: 'has a number in the list permissions.allow, in which every item must be a string',
    },
  ),
  file(
    'cursor',
    '.cursor/hooks.json',
    'a hook is text',
    '{ "version": 1, "hooks": { "stop": ["beep"] } }\n',
    {
      refused: 'has a string in the list hooks.stop, in which every item must be an object',
    },
  ),
  file(
    'codex',
    '.codex/config.toml',
    'a root is a number',
    '[sandbox_workspace_write]\nwritable_roots = ["/a", 1]\n',
    {
      refused: 'has an item in sandbox_workspace_write.writable_roots that is not a string',
    },
  ),
  file(
    'claude',
    '.mcp.json',
    'other servers',
    '{\n  "mcpServers": {\n    "db": { "command": "db-mcp" }\n  }\n}\n',
  ),
  file(
    'claude',
    '.mcp.json',
    'an own server named cleo',
    '{ "mcpServers": { "cleo": { "command": "/opt/cleo", "args": ["mcp"] } } }\n',
    {
      kept: 'mcpServers.cleo is yours',
    },
  ),
  file('claude', 'CLAUDE.md', 'instructions', '# Shop\n\nUse tabs.\n'),
  file('claude', 'CLAUDE.md', 'instructions without a line end', '# Shop\n\nUse tabs.'),
  file('claude', 'CLAUDE.md', 'instructions with CRLF', '# Shop\r\n\r\nUse tabs.\r\n'),
  file('claude', 'CLAUDE.md', 'a link to AGENTS.md', '# Shop\n', { link: 'AGENTS.md' }),
  file('claude', 'CLAUDE.md', 'half of our marks', '# Shop\n\n<!-- cleo: end -->\n', {
    refused: 'without the other',
  }),
  file(
    'claude',
    '.claude/agents/cleo-subagent.md',
    'an agent of the user',
    '---\nname: cleo-subagent\ndescription: Mine.\ntools: Read\n---\nMine.\n',
    {
      kept: 'this file is yours',
    },
  ),
  file('codex', '.codex/config.toml', 'a model', 'model = "gpt-5"\n\n[tui]\ntheme = "dark" # nice\n'),
  file(
    'codex',
    '.codex/config.toml',
    'roots of the user',
    '[sandbox_workspace_write]\nnetwork_access = false\nwritable_roots = ["/srv/cache"] # builds\n\n[tui]\ntheme = "dark"\n',
  ),
  file(
    'codex',
    '.codex/config.toml',
    'no roots, which hides those of the home folder',
    '[sandbox_workspace_write]\nwritable_roots = []\n',
  ),
  file(
    'codex',
    '.codex/config.toml',
    'roots over several lines',
    '[sandbox_workspace_write]\nwritable_roots = [\n  "/srv/a", # ] first\n  "/srv/b",\n]\n',
  ),
  file(
    'codex',
    '.codex/config.toml',
    'a table without roots',
    '[sandbox_workspace_write]\nnetwork_access = true\n',
  ),
  file('codex', '.codex/config.toml', 'CRLF', 'model = "gpt-5"\r\n\r\n[tui]\r\ntheme = "dark"\r\n'),
  file('codex', '.codex/config.toml', 'an own server', '[mcp_servers.cleo]\ncommand = "/opt/cleo"\n', {
    kept: 'mcp_servers.cleo is yours',
  }),
  file(
    'codex',
    '.codex/config.toml',
    'roots as an inline table',
    'sandbox_workspace_write = { network_access = true }\n',
    {
      refused: 'in a form that cannot be extended',
    },
  ),
  file('codex', '.codex/config.toml', 'broken', 'model = \n', { refused: 'is not TOML' }),
  file(
    'codex',
    '.codex/hooks.json',
    'hooks of the user',
    `{\n  "hooks": {\n    "Stop": [${hook('true')}]\n  }\n}\n`,
  ),
  file('codex', 'AGENTS.md', 'instructions', '# Agents\n\n```sh\nnpm test\n```\n'),
  file(
    'gemini',
    '.gemini/settings.json',
    'comments and folders',
    '{\n  // Mine\n  "context": { "includeDirectories": ["../lib"] },\n  "ui": { "theme": "Dark" },\n}\n',
  ),
  file(
    'gemini',
    '.gemini/settings.json',
    'a switch beside the events',
    '{\n  "hooks": { "enabled": true }\n}\n',
  ),
  file(
    'opencode',
    'opencode.jsonc',
    'comments',
    '{\n  "$schema": "https://opencode.ai/config.json", // checked\n  "mcp": {\n    "db": { "type": "remote", "url": "https://db.example/mcp" },\n  },\n}\n',
  ),
  file(
    'qwen',
    '.qwen/settings.json',
    'tabs',
    '{\n\t"mcpServers": {\n\t\t"db": {\n\t\t\t"command": "db"\n\t\t}\n\t}\n}\n',
  ),
  file(
    'cursor',
    '.cursor/mcp.json',
    'other servers',
    '{"mcpServers": {"db": {"url": "https://db.example/mcp"}}}\n',
  ),
]
