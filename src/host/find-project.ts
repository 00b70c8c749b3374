import { resolvePath } from '../kernel/path.ts'
import type { Host } from './host.ts'
import { linkedWorktree } from './repository.ts'

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

export interface ProjectFolder {
  /** The folder that contains `.cleo/`; if no project was found, the folder that would contain it. */
  root: string
  found: boolean
}

/**
 * Finds the project of the named folder or of the working directory: the nearest `.cleo/config.json` in that folder or
 * above. A linked git worktree belongs to the project of the main worktree, whose database all worktrees share. Every
 * command runs this function, so it usually reads only file sizes: see `bun.ts`.
 */
export const findProject = async (host: Host, named = host.env['CLEO_PROJECT']): Promise<ProjectFolder> => {
  let from = host.cwd
  if (named) {
    const start = resolvePath(host.cwd, named)
    if (host.files.kind(start) !== 'folder') return { root: start, found: false }
    from = host.files.realPath(start)
  }
  const linked = await linkedWorktree(host, from)
  const twin = linked && linked.main + from.slice(linked.top.length)
  const root = (linked && nearestProject(host, twin!, linked.main)) ?? nearestProject(host, from)
  return root ? { root, found: true } : { root: twin ?? from, found: false }
}

const nearestProject = (host: Host, from: string, top = '/'): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/')) || '/') {
    if (isProject(host, folder)) return folder
    if (folder === top || folder === '/') return undefined
  }
}

const isProject = (host: Host, folder: string): boolean => {
  const { sizeSeen } = host.files
  const own = `${folder}/.cleo`
  if (sizeSeen(`${own}/config.json`) > 0 && sizeSeen(`${own}/cleo.db`) > 0 && folder !== host.home)
    return true
  return sizeSeen(own) > 0 && holdsConfig(host, own) && !isHome(host, folder)
}

/**
 * An unreadable config counts as a project too: reading it later reports the reason, which helps more than "no
 * project".
 */
const holdsConfig = ({ files }: Host, own: string): boolean => {
  const config = files.kind(`${own}/config.json`)
  return config === 'file' || (config === 'denied' && files.kind(own) === 'folder')
}
