import { linkedWorktree } from '../git/repository.ts'
import type { Host } from '../host/host.ts'
import { isHome } from '../host/user-folders.ts'
import { resolvePath } from '../kernel/path.ts'

export interface ProjectFolder {
  /** The folder that contains `.cleo/`; if no project was found, the folder that would contain it. */
  root: string
  found: boolean
}

/**
 * Finds the project of the named folder, or of the working directory if no folder is named. Looks for
 * `.cleo/config.json` in that folder and then in the folders above it, and takes the first folder that has this
 * file. A linked git worktree belongs to the project of the main worktree, and all worktrees share its database.
 * Every command runs this function, so it must be fast: it usually reads only the sizes of files. `bun.ts` says why
 * reading more is slow.
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
 * Whether a `.cleo` folder has a `config.json`. Also returns true if the file cannot be read, so that the command later
 * reports why. This helps more than the report "no project".
 */
const holdsConfig = ({ files }: Host, own: string): boolean => {
  const config = files.kind(`${own}/config.json`)
  return config === 'file' || (config === 'denied' && files.kind(own) === 'folder')
}
