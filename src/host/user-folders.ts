import type { Host } from './host.ts'

/** Returns the folder of the user's settings, trust records and skills. */
export const userFolder = ({ env, home }: Host): string =>
  env['XDG_CONFIG_HOME'] ? `${env['XDG_CONFIG_HOME']}/cleo` : `${home}/.cleo`

/**
 * Trust records are in the user's folder, not in the repository: otherwise a repository could come with its own trust.
 */
export const trustRecordsPath = (host: Host): string => `${userFolder(host)}/trust.json`

/**
 * Returns the folder in which a user's programs keep data between runs; undefined without a home folder. A relative
 * XDG_STATE_HOME is ignored, as the XDG standard demands.
 */
export const stateFolder = ({ env, home }: Host): string | undefined => {
  const named = env['XDG_STATE_HOME']
  if (named?.startsWith('/')) return `${named}/cleo`
  return home === '/' ? undefined : `${home}/.local/state/cleo`
}

/**
 * Returns the file that `cleo hook` writes when a client calls it. The file shows whether the client calls the
 * installed hooks: clients silently skip hooks that a person has not approved.
 */
export const hookCallFile = (host: Host, client: string): string | undefined => {
  const folder = stateFolder(host)
  return folder && `${folder}/hooks/${client}`
}

/** A home folder is never a project: its `.cleo/` holds user settings, or held them until XDG_CONFIG_HOME was set. */
export const isHome = ({ files, home }: Host, folder: string): boolean => files.realPath(home) === folder
