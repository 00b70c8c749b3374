import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import { hookSeenFile } from '../project/outer-backups.ts'
import { clientFacts, clientNames, type SetupClient } from './client-names.ts'
import { hookEvents } from './hook-command.ts'

/** The clients whose program is on PATH. */
export const installedClients = (host: Host): SetupClient[] =>
  clientNames.filter((name) => programOf(host, name) !== undefined)

export const programOf = (host: Host, client: SetupClient): string | undefined =>
  which(host, clientFacts[client].program, host.cwd)

/** Whether CLEO installs hooks, or a plugin, for a client. */
export const hasHooks = (client: SetupClient): boolean =>
  hookEvents[client].length > 0 || client === 'opencode'

/** Whether a client has ever called a hook of CLEO in a project. */
export const wasHookCalled = (host: Host, project: string, client: SetupClient): boolean => {
  const path = hookSeenFile(host, project, client)
  return path !== undefined && host.files.kind(path) === 'file'
}
