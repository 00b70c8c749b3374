import type { Host } from '../host/host.ts'
import { removeEmptyFolder } from '../host/permissions.ts'
import { sharedFolder } from '../project-commands/run-command.ts'

/** The folders below `.git`, besides `objects`, that a spawn with a worktree writes to. */
export const gitFolders: readonly string[] = ['worktrees', 'refs/heads/cleo', 'logs/refs/heads/cleo']

export const portsFolder = (host: Host): string => `${sharedFolder(host)}/ports`

const gitFoldersIn = ({ files }: Host, root: string): string[] =>
  files.kind(`${root}/.git`) === 'folder' ? gitFolders.map((name) => `${root}/.git/${name}`) : []

/**
 * Makes the folder for ports and, if `root` is given, the folders in the repository to which agents write. A sandbox
 * allows writes only in folders that exist. Git removes these folders of the repository when they are empty, so they
 * are made again.
 */
export const makeWrittenFolders = (host: Host, root?: string): void => {
  for (const folder of root === undefined ? [] : gitFoldersIn(host, root)) make(host, folder, 0o777)
  make(host, portsFolder(host), 0o700)
}

/**
 * Makes a folder if nothing exists at its path. Ignores a failure. For example, `refs/heads` is a file if git stores
 * the branches in another format.
 */
const make = ({ files }: Host, folder: string, mode: number): void => {
  if (files.kind(folder) !== undefined) return
  try {
    files.makeFolder(folder, mode)
  } catch {
    // Ignore the error here: the command that needs the folder reports it.
  }
}

export const removeWrittenFolders = (host: Host, root: string): void => {
  for (const folder of gitFoldersIn(host, root)) removeEmptyFolder(folder)
}
