import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modelUrl } from './closed-network.ts'
import type { ClientName } from './fetched.ts'

/** The folders of a client. */
export interface Place {
  /** A home folder that is empty before the client's first run. */
  home: string
  /** The folder in which the client is started. */
  cwd: string
}

/** How a client is started without a person, with the scripted model and few permissions. */
export interface Program {
  args: string[]
  env: Record<string, string>
}

/** What a client may do without asking. */
export interface Allowed {
  /** Programs that the shell tool may run. All others are denied. */
  commands?: readonly string[]
  /** Folders outside the working directory that the client may write to. */
  writable?: readonly string[]
  /** Patterns of files outside the working directory that the client may read. */
  readable?: readonly string[]
  /** Whether the client may use the tools of the MCP server. */
  mcp?: boolean
  /** Whether the client may use no tool at all. */
  nothing?: boolean
}

const claude = (
  _place: Place,
  { commands = [], writable = [], readable = [], mcp, nothing }: Allowed,
): Program => ({
  args: [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...(nothing
      ? [
          '--permission-mode',
          'default',
          '--disallowedTools',
          'Bash(cleo *),Bash(git *),Read(//**),Edit(//**)',
        ]
      : ['--permission-mode', 'acceptEdits']),
    ...(nothing
      ? []
      : [
          '--allowedTools',
          [
            ...commands.map((command) => `Bash(${command} *)`),
            ...readable.map((pattern) => `Read(/${pattern})`),
            ...(mcp ? ['mcp__cleo'] : []),
          ].join(','),
        ]),
    ...writable.flatMap((folder) => ['--add-dir', folder]),
  ],
  env: {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    DISABLE_AUTOUPDATER: '1',
  },
})

const codex = ({ cwd }: Place, { writable = [], mcp, nothing }: Allowed): Program => ({
  args: [
    ...['exec', '--json', '--sandbox', nothing ? 'read-only' : 'workspace-write'],
    '--dangerously-bypass-hook-trust',
    ...Object.entries({
      model: '"scripted"',
      model_provider: '"scripted"',
      'model_providers.scripted': `{name="scripted",base_url="${modelUrl}/v1",env_key="SCRIPTED_KEY",wire_api="responses"}`,
      [`projects."${cwd}".trust_level`]: '"trusted"',
      allow_login_shell: 'false',
      check_for_update_on_startup: 'false',
      'analytics.enabled': 'false',
      // Without these two settings, a test in the temporary folder would prove nothing about the sandbox.
      'sandbox_workspace_write.exclude_slash_tmp': 'true',
      'sandbox_workspace_write.exclude_tmpdir_env_var': 'true',
      ...(mcp && {
        'mcp_servers.cleo': '{command="cleo",args=["mcp"],default_tools_approval_mode="approve"}',
      }),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...writable.flatMap((folder) => ['--add-dir', folder]),
    '-',
  ],
  env: { SCRIPTED_KEY: 'scripted' },
})

const gemini = ({ home }: Place, { commands = [], writable = [], nothing }: Allowed): Program => {
  const settings = join(home, '.gemini', 'settings.json')
  mkdirSync(dirname(settings), { recursive: true })
  const security = { auth: { selectedType: 'gemini-api-key' } }
  const general = { enableAutoUpdate: false, enableAutoUpdateNotification: false }
  const privacy = { usageStatisticsEnabled: false }
  writeFileSync(settings, JSON.stringify({ security, general, privacy, telemetry: { enabled: false } }))
  // With `nothing`, also deny what CLEO's set-up allows.
  const rule = nothing
    ? 'toolName = ["run_shell_command", "write_file", "replace"]\ndecision = "deny"\npriority = 999\n'
    : `toolName = "run_shell_command"\ncommandPrefix = ${JSON.stringify(commands)}\ndecision = "allow"\npriority = 200\n`
  mkdirSync(join(home, '.gemini', 'policies'), { recursive: true })
  if (nothing || commands.length > 0)
    writeFileSync(join(home, '.gemini', 'policies', 'person.toml'), `[[rule]]\n${rule}`)
  return {
    args: [
      ...['-o', 'stream-json', '--approval-mode', nothing ? 'default' : 'auto_edit'],
      ...writable.flatMap((folder) => ['--include-directories', folder]),
    ],
    env: {
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_MODEL: 'gemini-2.5-pro',
    },
  }
}

const opencode = (_place: Place, { commands = [], nothing }: Allowed): Program => {
  const bash = { '*': 'deny', ...Object.fromEntries(commands.map((command) => [`${command} *`, 'allow'])) }
  const config = {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'scripted',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'scripted' },
        models: {
          scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8000 } },
        },
      },
    },
    permission: nothing
      ? { edit: 'deny', bash: 'deny', webfetch: 'deny' }
      : { edit: 'allow', bash, webfetch: 'deny', external_directory: 'allow' },
  }
  return {
    args: ['run', '--format', 'json'],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  }
}

const copilot = (_place: Place, { commands = [], writable = [], mcp, nothing }: Allowed): Program => ({
  args: [
    ...['--output-format', 'json', '--trust-folder', '--disallow-temp-dir', '--no-auto-update'],
    ...(nothing
      ? []
      : [...commands.map((command) => `shell(${command}:*)`), 'write', ...(mcp ? ['cleo'] : [])]
    )
      // Write `--allow-tool=` before each rule. Without the equals sign, the option would also take the arguments
      // after it.
      .map((rule) => `--allow-tool=${rule}`),
    ...writable.map((folder) => `--add-dir=${folder}`),
  ],
  env: {
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'scripted',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
  },
})

const qwen = ({ home }: Place, { commands = [], writable = [], nothing }: Allowed): Program => {
  const settings = join(home, '.qwen', 'settings.json')
  mkdirSync(dirname(settings), { recursive: true })
  const rules = nothing
    ? { deny: ['Bash', 'Edit', 'Read', 'Agent'] }
    : { allow: commands.map((command) => `run_shell_command(${command} *)`) }
  writeFileSync(
    settings,
    JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // Turn off Qwen's own agents for memories and skills. They would get the whole conversation, so the scripted
      // model would take them for an agent of the scenario.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
      permissions: rules,
    }),
  )
  return {
    args: [
      ...['--output-format', 'stream-json', '--approval-mode', nothing ? 'default' : 'auto-edit'],
      ...writable.flatMap((folder) => ['--add-dir', folder]),
    ],
    env: { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted' },
  }
}

export const programs: Record<ClientName, (place: Place, allowed: Allowed) => Program> = {
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
}
