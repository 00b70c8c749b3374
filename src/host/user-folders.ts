import type { Host } from './host.ts'

/**
 * Returns the folder of the user's settings, trust records and skills. A relative XDG_CONFIG_HOME is ignored, as the
 * XDG standard demands. Otherwise it could lead to a folder in a cloned repository.
 */
export const userFolder = ({ env, home }: Host): string =>
  env['XDG_CONFIG_HOME']?.startsWith('/') ? `${env['XDG_CONFIG_HOME']}/cleo` : `${home}/.cleo`

/** The trust records are not in the project's folder, because a cloned repository could bring its own. */
export const trustRecordsPath = (host: Host): string => `${userFolder(host)}/trust.json`

/**
 * Returns the folder in which CLEO keeps data of this user between commands; undefined without a home folder. A
 * relative XDG_STATE_HOME is ignored, as the XDG standard demands.
 */
export const stateFolder = ({ env, home }: Host): string | undefined => {
  const named = env['XDG_STATE_HOME']
  if (named?.startsWith('/')) return `${named}/cleo`
  return home === '/' ? undefined : `${home}/.local/state/cleo`
}

/**
 * Returns the path of a file that `cleo hook` writes when a client calls the hook. Clients silently skip hooks that
 * no person has approved. So only this file proves that the client runs the installed hooks.
 */
export const hookCallFile = (host: Host, client: string): string | undefined => {
  const folder = stateFolder(host)
  return folder && `${folder}/hooks/${client}`
}

/** The home folder is never a project, because its `.cleo/` can hold the user's settings. */
export const isHome = ({ files, home }: Host, folder: string): boolean => files.realPath(home) === folder
