import { canonicalSpawnId } from './task-id.ts'

export interface Actor {
  id: string
  /** True for a spawn, and for any caller with CLEO_AGENT_ID set. */
  agent: boolean
}

/**
 * The environment variables that agent clients set for their commands, each with the name of the client. This is a
 * function and not a constant, because most commands do not need the table.
 */
export const clientVariables = () =>
  ({
    CLAUDECODE: 'claude',
    CODEX_THREAD_ID: 'codex',
    GEMINI_CLI: 'gemini',
    OPENCODE: 'opencode',
    COPILOT_AGENT_SESSION_ID: 'copilot',
    QWEN_CODE: 'qwen',
    CURSOR_AGENT: 'cursor',
    AI_AGENT: 'other',
  }) as const
type ClientVariables = ReturnType<typeof clientVariables>
type ClientVariable = keyof ClientVariables
export type ClientName = ClientVariables[ClientVariable]

/**
 * If an agent client runs this command, returns the environment variable that shows this. Clients in `allowed` do not
 * count.
 */
export const agentClientIn = (
  env: Readonly<Record<string, string | undefined>>,
  allowed: readonly ClientName[] = [],
): string | undefined => {
  const variables = clientVariables()
  const found: ClientVariable[] = []
  for (const name in variables) if (env[name]) found.push(name as ClientVariable)
  // Ignore AI_AGENT if another variable was found, because some clients set AI_AGENT in addition to their own
  // variable.
  if (found.length > 1 && found.at(-1) === 'AI_AGENT') found.pop()
  return found.find((name) => !allowed.includes(variables[name]))
}

/**
 * Returns the end of a sentence about an untrusted item. Only a person is told the command that trusts the item,
 * because an agent could run that command to accept its own change.
 */
export const trustAdvice = ({
  actor,
  host,
}: {
  actor: Actor
  host: { env: Readonly<Record<string, string | undefined>> }
}): string =>
  actor.agent || agentClientIn(host.env) !== undefined ? 'a person has to trust it' : 'see: cleo trust'

export const isAgent = (actor: Actor, env: Readonly<Record<string, string | undefined>>): boolean =>
  actor.agent || agentClientIn(env) !== undefined

/** Variables in which clients name the thread, session or agent that runs a command. */
export const threadVariables = (): readonly string[] => [
  'CODEX_THREAD_ID',
  'COPILOT_AGENT_SESSION_ID',
  // Empty in the main session of Qwen Code, which sets only the next variable.
  'QWEN_CODE_AGENT_ID',
  'QWEN_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_ID',
]

/** Two threads of one client count as two orchestrators. */
export const clientThreadIn = (env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const name = threadVariables().find((variable) => env[variable])
  return name && `${name}=${env[name]!.slice(0, 200)}`
}

export const actorOf = (named: string | undefined, agent: string | undefined, person: string): Actor => {
  const id = named ?? (agent || plain(person))
  const spawn = canonicalSpawnId(id)
  return { id: spawn ?? id, agent: Boolean(agent) || spawn !== undefined }
}

/**
 * Names are compared, printed and put into commands. So only plain characters are allowed, and a name must not look
 * like a flag.
 */
export const isActorName = (id: string): boolean => {
  if (id.length === 0 || id.length > 64 || '-.'.includes(id[0]!) || id.endsWith('.')) return false
  // Use no iterator, because the first use of an iterator takes time.
  for (let i = 0; i < id.length; i++) if (!(isLetterOrDigit(id[i]!) || '._@:-'.includes(id[i]!))) return false
  return true
}

export const actorNameRule = 'an actor name has at most 64 characters: letters, digits, . _ @ : -'

// Account names can contain any character. Characters that an actor name cannot contain become dashes.
const plain = (person: string): string => {
  if (isActorName(person)) return person
  const name = [...person.slice(0, 64)].map((char) => (isActorName(`_${char}`) ? char : '-')).join('')
  return isActorName(name) ? name : `_${name.slice(1)}`
}

const isLetterOrDigit = (char: string) =>
  (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9') || (char >= 'A' && char <= 'Z')
