import type { Host } from './host.ts'

/** Where the user's own settings, trust records and skills are. */
export const userFolder = ({ env, home }: Host): string =>
  env['XDG_CONFIG_HOME'] ? `${env['XDG_CONFIG_HOME']}/cleo` : `${home}/.cleo`

export interface Place {
  /** The folder that holds `.cleo/`, or would. */
  root: string
  found: boolean
}

/** The `.cleo/` in a home is the user's own, wherever their settings are kept now: it makes no project of it. */
export const isHome = ({ files, home }: Host, folder: string): boolean => files.realPath(home) === folder

/**
 * Finds the project of the folder that was named, else of the working directory: the nearest `.cleo/config.json`
 * above; in a linked git worktree that of the main worktree, whose database all worktrees share. Every command comes
 * by here: on the usual way it asks for nothing but sizes, see `bun.ts`.
 */
export const findProject = async (host: Host, named = host.env['CLEO_PROJECT']): Promise<Place> => {
  let from = host.cwd
  if (named) {
    const start = (await import('node:path')).resolve(host.cwd, named)
    if (host.files.kind(start) !== 'folder') return { root: start, found: false }
    from = host.files.realPath(start)
  }
  const linked = await linkedWorktree(host, from)
  const twin = linked && linked.main + from.slice(linked.top.length)
  const root = (linked && nearest(host, twin!, isProject, linked.main)) ?? nearest(host, from, isProject)
  return root ? { root, found: true } : { root: twin ?? from, found: false }
}

type Question = (host: Host, folder: string) => boolean

const isProject: Question = (host, folder) => {
  const { sizeSeen } = host.files
  const own = `${folder}/.cleo`
  if (sizeSeen(`${own}/config.json`) > 0 && sizeSeen(`${own}/cleo.db`) > 0 && folder !== host.home)
    return true
  return sizeSeen(own) > 0 && holdsConfig(host, own) && !isHome(host, folder)
}

/** One that may not be looked into counts: reading it then says what is wrong, where a silent no would not. */
const holdsConfig: Question = ({ files }, own) => {
  const config = files.kind(`${own}/config.json`)
  return config === 'file' || (config === 'denied' && files.kind(own) === 'folder')
}

const nearest = (host: Host, from: string, wanted: Question, top = '/'): string | undefined => {
  for (let folder = from; ; folder = above(folder)) {
    if (wanted(host, folder)) return folder
    if (folder === top || folder === '/') return undefined
  }
}

const above = (folder: string): string => folder.slice(0, folder.lastIndexOf('/')) || '/'

/** The linked git worktree around a folder, and the main one it belongs to; a bare repository has none. */
export const linkedWorktree = async (
  host: Host,
  from: string,
): Promise<{ top: string; main: string } | undefined> => {
  const { load } = host.files
  const top = nearest(host, from, isGitTop)
  if (top === undefined || isRepository(host, top)) return undefined
  const { dirname, resolve } = await import('node:path')
  const gitdir = /^gitdir: (.+)$/m.exec((await load(`${top}/.git`)) ?? '')?.[1]
  const own = gitdir && resolve(top, gitdir.trim())
  const common = own && (await load(`${own}/commondir`))
  if (!common) return undefined
  const shared = resolve(own, common.trim())
  return shared.endsWith('/.git') ? { top, main: dirname(shared) } : undefined
}

/** In a linked worktree `.git` is a file, elsewhere a folder with HEAD in it. */
const isRepository: Question = ({ files }, folder) => files.sizeSeen(`${folder}/.git/HEAD`) > 0
const isGitTop: Question = (host, folder) =>
  isRepository(host, folder) || host.files.sizeSeen(`${folder}/.git`) > 0

/** A folder that is itself a git repository without files: what `git init --bare` makes. */
export const isBareRepository = ({ files }: Host, folder: string): boolean =>
  files.kind(`${folder}/HEAD`) === 'file' &&
  files.kind(`${folder}/objects`) === 'folder' &&
  files.kind(`${folder}/refs`) === 'folder'
