import { configTexts } from '../git/git-folder.ts'
import { gitRunnerAt } from '../git/run-git.ts'
import type { Host } from '../host/host.ts'
import { childEnvironment, which } from '../host/programs.ts'
import type { AgentName, AgentTask } from './agent.ts'

/**
 * Variables that an agent's client needs to find its files and the network. `cleo` in the agent's shell needs them
 * too.
 */
const generalVariables = [
  ...['TERM', 'LC_CTYPE', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'CLEO_DATABASE_URL'],
]

const clientVariables: Record<'claude' | 'codex' | 'gemini' | 'opencode', readonly string[]> = {
  claude: [
    ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
    ...['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
  ],
  codex: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME'],
  gemini: [
    ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_MODEL', 'GOOGLE_CLOUD_PROJECT'],
    ...['GOOGLE_CLOUD_LOCATION', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ],
  opencode: [
    ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_API_KEY', 'ANTHROPIC_API_KEY'],
    ...['OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY', 'OPENCODE_DISABLE_MODELS_FETCH'],
    ...['OPENCODE_DISABLE_DEFAULT_PLUGINS', 'OPENCODE_DISABLE_LSP_DOWNLOAD'],
  ],
}

/**
 * Returns the environment of an agent: a few named variables, variables for git, and the agent's own variables. The
 * agent gets no other variables of the caller, because an agent can print them, and all that it prints is sent to a
 * model.
 */
export const agentEnvironment = async (
  host: Host,
  name: AgentName,
  task: Pick<AgentTask, 'projectRoot' | 'env'>,
  { program, variables = [] }: { program?: string; variables?: readonly string[] } = {},
): Promise<Record<string, string>> => {
  const names = [...generalVariables, ...ofClient(name, program), ...variables]
  const given = names.flatMap((each) => (host.env[each] === undefined ? [] : [[each, host.env[each]]]))
  return {
    ...childEnvironment(host.env),
    ...Object.fromEntries(given),
    ...(await gitEnvironment(host, task.projectRoot)),
    PATH: pathWithCleo(host),
    ...task.env,
  }
}

/** For the kind `acp`, finds the client by the name of the program, as in `gemini --acp`. */
const ofClient = (name: AgentName, program: string | undefined): readonly string[] => {
  const own = program?.slice(program.lastIndexOf('/') + 1) ?? name
  const client = (['claude', 'codex', 'gemini', 'opencode'] as const).find((each) => own.startsWith(each))
  return client === undefined || name === 'command' ? [] : clientVariables[client]
}

/** Returns a PATH on which `cleo` is this program. If this program has another name, returns the caller's PATH. */
const pathWithCleo = (host: Host): string => {
  const path = host.env['PATH'] ?? ''
  const own = host.program?.[0]
  if (!own?.endsWith('/cleo') || which(host, 'cleo', host.cwd) === own) return path
  return `${own.slice(0, own.lastIndexOf('/'))}:${path}`
}

/**
 * Returns variables for git. Some tell git who commits, because a sandbox can hide the user's git configuration.
 * The others switch off git's questions, its editor, and its background work, which would outlive the agent.
 */
const gitEnvironment = async (host: Host, root: string): Promise<Record<string, string>> => {
  const settings = await userSettings(host, root)
  const name = settings.get('user.name') ?? host.user
  const email = settings.get('user.email') ?? `${host.user}@localhost`
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'gc.auto',
    GIT_CONFIG_VALUE_0: '0',
    GIT_CONFIG_KEY_1: 'maintenance.auto',
    GIT_CONFIG_VALUE_1: 'false',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  }
}

/**
 * Returns `user.name` and `user.email` from git's settings. Leaves out a value that is empty or has several lines.
 * Starts git only if git's configuration files have changed since the last call.
 */
const userSettings = async (host: Host, root: string): Promise<Map<string, string>> => {
  const git = gitRunnerAt(host, root)
  const files = git && (await configTexts(host, git.top, git.program))?.join('\0')
  const known = lastSettings.get(host)
  if (files !== undefined && known?.files === files) return known.found
  const found = settingsIn(
    (await git?.run(['config', '--null', '--get-regexp', '^user\\.(name|email)$'])) ?? '',
  )
  // Do not remember the settings if they include other files. `files` lacks the text of included files, so CLEO would
  // not notice a change in them.
  if (files !== undefined && !git?.fault() && !/include|worktreeconfig/i.test(files))
    lastSettings.set(host, { files, found })
  return found
}

/**
 * The settings that git last returned, and the text of its configuration files at that time. Kept because a run starts
 * many agents with the same settings.
 */
const lastSettings = new WeakMap<Host, { files: string; found: Map<string, string> }>()

const settingsIn = (text: string): Map<string, string> => {
  const found = new Map<string, string>()
  // If a setting is in several files, git prints all its values. Use the last one.
  for (const entry of text.split('\0')) {
    const end = entry.indexOf('\n')
    const value = entry.slice(end + 1).trim()
    if (end < 0) continue
    if (value === '' || value.includes('\n')) found.delete(entry.slice(0, end))
    else found.set(entry.slice(0, end), value)
  }
  return found
}

/** Leaves out undefined variables, because a program cannot be started with them. */
export const definedVariables = (env: Host['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
