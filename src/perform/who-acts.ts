import { type Actor, agentClientIn } from '../kernel/actor.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'
import { isForPerson, type Operation } from '../operation/operation.ts'
import type { Connection } from './connection.ts'

interface Acting {
  actor: Actor
}

/** Refuses a spawn that acts under another name. CLEO_AGENT_ID names the spawn that this environment was made for. */
export const foreignActor = ({ host }: Connection, { actor }: Acting): Failure | undefined => {
  const named = host.env['CLEO_AGENT_ID']
  const own = named && canonicalSpawnId(named)
  return own && own !== actor.id ? fail('actor.foreign', { actor: actor.id, own }) : undefined
}

/**
 * Returns the agent that runs this command; undefined if a person runs it. If an agent client runs the command in a
 * person's name, returns that client, unless the user's configuration allows the client to act as a person.
 */
export const agentThatRuns = async (
  { host }: Connection,
  { actor }: Acting,
): Promise<{ client?: string } | undefined> => {
  if (actor.agent) return {}
  if (agentClientIn(host.env) === undefined) return undefined
  // Loaded only here, because only a command that may be refused needs the user's configuration.
  const { refusedClientIn } = await import('../project/people.ts')
  const client = refusedClientIn(host)
  return client === undefined ? undefined : { client }
}

export const needsPerson = ({ personOnly }: Operation, input: unknown): boolean =>
  isForPerson(personOnly, (field) => {
    const value = (input as Record<string, unknown>)[field]
    return value !== undefined && value !== false
  })
