import type { Host } from './host.ts'

/** Returns the folder of the user's settings, trust records and skills. */
export const userFolder = ({ env, home }: Host): string =>
  env['XDG_CONFIG_HOME'] ? `${env['XDG_CONFIG_HOME']}/cleo` : `${home}/.cleo`

/**
 * Returns the path of the trust records. They are in the user's folder, because a repository could otherwise bring its
 * own.
 */
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
 * Returns the file that `cleo hook` writes when a client calls it. It proves that the client runs the installed hooks:
 * clients silently skip hooks that a person has not approved.
 */
export const hookCallFile = (host: Host, client: string): string | undefined => {
  const folder = stateFolder(host)
  return folder && `${folder}/hooks/${client}`
}

/**
 * Whether a folder is the home folder, which is never a project: its `.cleo/` contains, or once contained, user
 * settings.
 */
export const isHome = ({ files, home }: Host, folder: string): boolean => files.realPath(home) === folder
