import { canonicalSpawnId } from './task-id.ts'

export interface Actor {
  id: string
  /** True for a spawn, and for anything that runs with CLEO_AGENT_ID set. */
  agent: boolean
}

/** Variables by which agent clients mark the commands that they run, and the names of the clients. */
export const clientVariables = {
  CLAUDECODE: 'claude',
  CODEX_THREAD_ID: 'codex',
  GEMINI_CLI: 'gemini',
  OPENCODE: 'opencode',
  COPILOT_AGENT_SESSION_ID: 'copilot',
  QWEN_CODE_AGENT_ID: 'qwen',
  AI_AGENT: 'other',
} as const
type ClientVariable = keyof typeof clientVariables
export type ClientName = (typeof clientVariables)[ClientVariable]

/**
 * Returns the variable of the agent client that runs this command, if one does. Clients that `allowed` names are passed
 * over; if one client runs another, both must be allowed.
 */
export const agentClientIn = (
  env: Readonly<Record<string, string | undefined>>,
  allowed: readonly ClientName[] = [],
): string | undefined => {
  const found = (Object.keys(clientVariables) as ClientVariable[]).filter((name) => env[name])
  // A client may set the general AI_AGENT besides its own variable.
  if (found.length > 1 && found.at(-1) === 'AI_AGENT') found.pop()
  return found.find((name) => !allowed.includes(clientVariables[name]))
}

/**
 * Ends a sentence about something that is not trusted. Only a person is told the command: an agent that follows it
 * would accept its own change.
 */
export const trustAdvice = ({
  actor,
  host,
}: {
  actor: Actor
  host: { env: Readonly<Record<string, string | undefined>> }
}): string =>
  actor.agent || agentClientIn(host.env) !== undefined ? 'a person has to trust it' : 'see: cleo trust'

/** True for a spawn, for anything that runs with CLEO_AGENT_ID set, and inside an agent client. */
export const isAgent = (actor: Actor, env: Readonly<Record<string, string | undefined>>): boolean =>
  actor.agent || agentClientIn(env) !== undefined

/** Variables in which clients name the thread, session or agent that runs a command. */
export const threadVariables: readonly string[] = [
  'CODEX_THREAD_ID',
  'COPILOT_AGENT_SESSION_ID',
  'QWEN_CODE_AGENT_ID',
  'CLAUDE_CODE_SESSION_ID',
]

/** Returns the client thread that runs this command: two threads of one client are two orchestrators. */
export const clientThreadIn = (env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const name = threadVariables.find((variable) => env[variable])
  return name && `${name}=${env[name]!.slice(0, 200)}`
}

/** Returns who acts: the named actor, else the agent from the environment, else the person. */
export const actorOf = (named: string | undefined, agent: string | undefined, person: string): Actor => {
  const id = named ?? (agent || plain(person))
  const spawn = canonicalSpawnId(id)
  return { id: spawn ?? id, agent: Boolean(agent) || spawn !== undefined }
}

/** Names are compared, printed and put into commands, so they have plain characters and cannot look like a flag. */
export const isActorName = (id: string): boolean => {
  if (id.length === 0 || id.length > 64 || '-.'.includes(id[0]!) || id.endsWith('.')) return false
  for (const char of id) if (!(isLetterOrDigit(char) || '._@:-'.includes(char))) return false
  return true
}

// Account names may contain any character; those that an actor name cannot contain become dashes.
const plain = (person: string): string => {
  if (isActorName(person)) return person
  const name = [...person.slice(0, 64)].map((char) => (isActorName(`_${char}`) ? char : '-')).join('')
  return isActorName(name) ? name : `_${name.slice(1)}`
}

const isLetterOrDigit = (char: string) =>
  (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9') || (char >= 'A' && char <= 'Z')
