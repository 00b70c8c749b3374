import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import { hookCallFile } from '../host/user-folders.ts'
import { type AgentClient, clientNames } from '../kernel/client-names.ts'
import { clientFacts } from './client-facts.ts'
import { hookEvents } from './hook-command.ts'

export const installedClients = (host: Host): AgentClient[] =>
  clientNames.filter((name) => programOf(host, name) !== undefined)

/** Ignores relative folders on PATH, such as `.`, because a clone can contain a program with the client's name. */
export const programOf = (host: Host, client: AgentClient): string | undefined => {
  const folders = host.env['PATH']?.split(':').filter((folder) => folder.startsWith('/')) ?? []
  if (folders.length === 0) return undefined
  return which({ ...host, env: { PATH: folders.join(':') } }, clientFacts[client].program, host.cwd)
}

/** OpenCode's plugin counts as hooks. */
export const hasHooks = (client: AgentClient): boolean =>
  hookEvents[client].length > 0 || client === 'opencode'

export const wasHookCalled = (host: Host, client: AgentClient, since = 0): boolean => {
  const path = hookCallFile(host, client)
  const stamp = path === undefined ? '' : host.files.stamp(path)
  return stamp !== '' && Number(stamp.slice(stamp.indexOf(' ') + 1)) >= since
}
