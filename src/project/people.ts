import type { Host } from '../host/host.ts'
import { type Actor, agentClientIn } from '../kernel/actor.ts'
import { configText, readUserConfig, userConfigPath } from './read-user-config.ts'

/**
 * Returns the environment variable that shows which agent client runs this command. Returns undefined if no client
 * runs it, or if `people.allowClients` in the user's own configuration allows the client. The project's configuration
 * does not count, because a project must not decide who is a person.
 */
export const refusedClientIn = (host: Host): string | undefined => {
  if (agentClientIn(host.env) === undefined) return undefined
  const path = userConfigPath(host)
  const text = configText(host, path)
  const allowed = text === undefined ? false : readUserConfig(path, text).people?.allowClients
  return allowed === true ? undefined : agentClientIn(host.env, allowed || [])
}

export const runByAgent = (host: Host, actor: Actor): boolean =>
  actor.agent || refusedClientIn(host) !== undefined
