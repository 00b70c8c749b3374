import { canonicalSpawnId } from './task-id.ts'

export interface Actor {
  id: string
  /** True for a spawn, and for anything that runs with CLEO_AGENT_ID set. */
  agent: boolean
}

/** Variables by which agent clients mark the commands that they run. */
const clientVariables = [
  'CLAUDECODE',
  'AI_AGENT',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'OPENCODE',
  'COPILOT_AGENT_SESSION_ID',
  'QWEN_CODE_AGENT_ID',
]

/** Returns the variable of the agent client that runs this command, if one does. */
export const agentClientIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  clientVariables.find((name) => env[name])

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
