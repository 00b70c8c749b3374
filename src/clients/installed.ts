import { stateFolder } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
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

/**
 * The file that `cleo hook` writes when a client calls it. So anyone can see whether a client really calls the hooks that
 * were installed: clients skip hooks that a person has not approved, and say nothing.
 */
export const hookSeenFile = (host: Host, client: SetupClient): string | undefined => {
  const folder = stateFolder(host)
  return folder && `${folder}/hooks/${client}`
}

/** Whether a client has called a hook of CLEO since a time, such as that of its set-up. */
export const wasHookCalled = (host: Host, client: SetupClient, since = 0): boolean => {
  const path = hookSeenFile(host, client)
  const stamp = path === undefined ? '' : host.files.stamp(path)
  return stamp !== '' && Number(stamp.slice(stamp.indexOf(' ') + 1)) >= since
}
