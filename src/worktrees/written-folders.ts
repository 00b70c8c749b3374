import type { Host } from '../host/host.ts'
import { removeEmptyFolder } from '../host/permissions.ts'
import { sharedFolder } from '../project-commands/run-command.ts'

/** Folders of a repository that a spawn with a worktree writes beside `objects`, below `.git`. */
export const gitFolders: readonly string[] = ['worktrees', 'refs/heads/cleo', 'logs/refs/heads/cleo']

/** The folder in which worktrees of all projects reserve their ports. */
export const portsFolder = (host: Host): string => `${sharedFolder(host)}/ports`

const gitFoldersIn = ({ files }: Host, root: string): string[] =>
  files.kind(`${root}/.git`) === 'folder' ? gitFolders.map((name) => `${root}/.git/${name}`) : []

/**
 * Makes the folders that a sandbox must find before it lets an agent write in them: those of the repository in `root`, if
 * one is given, and that of the ports. Git removes its own again when they are empty.
 */
export const makeWrittenFolders = (host: Host, root?: string): void => {
  for (const folder of root === undefined ? [] : gitFoldersIn(host, root)) make(host, folder, 0o777)
  make(host, portsFolder(host), 0o700)
}

/** A repository may keep its branches elsewhere, or have a branch of this name: then nothing is made. */
const make = ({ files }: Host, folder: string, mode: number): void => {
  if (files.kind(folder) !== undefined) return
  try {
    files.makeFolder(folder, mode)
  } catch {
    // Whoever needs the folder says what is wrong.
  }
}

/** Takes back what was made in a repository and is empty. */
export const removeWrittenFolders = (host: Host, root: string): void => {
  for (const folder of gitFoldersIn(host, root)) removeEmptyFolder(folder)
}
