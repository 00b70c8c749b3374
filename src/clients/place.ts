import type { Host } from '../host/host.ts'
import { stateFolder, userFolder } from '../host/user-folders.ts'
import { isBelow } from '../kernel/path.ts'
import { refuse } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { outerFolder } from '../project/outer-backups.ts'
import { chosenFolder, worktreesFolder } from '../worktrees/place.ts'
import { portsFolder } from '../worktrees/written-folders.ts'
import type { Place } from './client-parts.ts'
import { recordsIn } from './setup-record.ts'

/**
 * `records` is a folder outside the repository. It holds the record of the set-up, and copies of the original files.
 */
export interface SetupPlace extends Place {
  records: string
}

export const projectPlace = (context: Context): SetupPlace => {
  const { host, root, folder } = context
  const id = context.store.project ?? context.written.project
  const own = id && outerFolder(host, id)
  if (!own)
    return refuse('file.unwritable', { path: folder, reason: 'there is no home folder for the originals' })
  return {
    ...common(host, root),
    scope: 'project',
    worktrees: worktreesFolder(context),
    read: [`${folder}/spawns`, workFoldersIn(context, root).output],
    records: recordsIn(own),
  }
}

export const userPlace = (host: Host): SetupPlace => {
  const state = stateFolder(host)
  if (!state) return refuse('file.unwritable', { path: host.home, reason: 'there is no home folder' })
  return {
    ...common(host, host.home),
    scope: 'user',
    worktrees: chosenFolder(host) ?? state,
    read: [],
    records: recordsIn(userFolder(host)),
  }
}

const common = (host: Host, root: string) => ({
  root,
  ports: portsFolder(host),
  home: host.home,
  hasRepository: host.files.kind(`${root}/.git`) === 'folder',
  readText: (path: string) =>
    host.files.kind(`${root}/${path}`) === 'file' ? host.files.read(`${root}/${path}`) : undefined,
})

export const shownPath = ({ scope, root }: Pick<Place, 'scope' | 'root'>, path: string): string => {
  const relative = isBelow(root, path) ? path.slice(root.length + 1) : path
  return scope === 'user' && !relative.startsWith('/') ? `~/${relative}` : relative
}
