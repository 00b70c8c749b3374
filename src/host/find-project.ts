import { dirname, join, relative, resolve } from 'node:path'
import type { Host } from './host.ts'

/** Where the user's own settings, trust records and skills are. */
export const userFolder = ({ env, home }: Host): string =>
  env['XDG_CONFIG_HOME'] ? join(env['XDG_CONFIG_HOME'], 'cleo') : join(home, '.cleo')

export interface Place {
  /** The folder that holds `.cleo/`, or would. */
  root: string
  found: boolean
}

/** The `.cleo/` in a home is the user's own, wherever their settings are kept now: it makes no project of it. */
export const isHome = ({ files, home }: Host, folder: string): boolean => files.realPath(home) === folder

/**
 * Finds the project of the folder that was named, else of the working directory: the nearest `.cleo/config.json`
 * above; in a linked git worktree that of the main worktree, whose database all worktrees share.
 */
export const findProject = (host: Host, named = host.env['CLEO_PROJECT']): Place => {
  const isProject = (folder: string) => holdsConfig(host, folder) && !isHome(host, folder)
  const start = named ? resolve(host.cwd, named) : host.cwd
  if (named && host.files.kind(start) !== 'folder') return { root: start, found: false }
  const from = host.files.realPath(start)
  const linked = linkedWorktree(host, from)
  const twin = linked && join(linked.main, relative(linked.top, from))
  const root = (linked && nearest(twin!, isProject, linked.main)) ?? nearest(from, isProject)
  return root ? { root, found: true } : { root: twin ?? from, found: false }
}

/** One that may not be looked into counts: reading it then says what is wrong, where a silent no would not. */
const holdsConfig = ({ files }: Host, folder: string): boolean => {
  const config = files.kind(join(folder, '.cleo', 'config.json'))
  return config === 'file' || (config === 'denied' && files.kind(join(folder, '.cleo')) === 'folder')
}

const nearest = (from: string, wanted: (folder: string) => boolean, top?: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (wanted(folder)) return folder
    if (folder === top || dirname(folder) === folder) return undefined
  }
}

/** The linked git worktree around a folder, and the main one it belongs to; a bare repository has none. */
const linkedWorktree = ({ files }: Host, from: string): { top: string; main: string } | undefined => {
  const git = (folder: string) => files.kind(join(folder, '.git'))
  const top = nearest(from, (folder) => git(folder) === 'file' || git(folder) === 'folder')
  if (top === undefined || git(top) === 'folder') return undefined
  const gitdir = /^gitdir: (.+)$/m.exec(files.read(join(top, '.git')) ?? '')?.[1]
  const own = gitdir && resolve(top, gitdir.trim())
  const common = own && files.read(join(own, 'commondir'))
  if (!common) return undefined
  const shared = resolve(own, common.trim())
  return shared.endsWith('/.git') ? { top, main: dirname(shared) } : undefined
}

/** A folder that is itself a git repository without files: what `git init --bare` makes. */
export const isBareRepository = ({ files }: Host, folder: string): boolean =>
  files.kind(join(folder, 'HEAD')) === 'file' &&
  files.kind(join(folder, 'objects')) === 'folder' &&
  files.kind(join(folder, 'refs')) === 'folder'
