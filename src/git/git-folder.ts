import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import { lstatAt, statAt } from '../host/stat.ts'
import {
  commonFolder,
  gitFolder,
  gitFolderAround,
  hasHead,
  isCommit,
  linkedWorktree,
  packedRef,
  smallText,
  textIn,
  topOfRepository,
} from './repository.ts'

/**
 * Returns the project's folder in each linked worktree of its repository. Reads git's own files. Leaves out a worktree
 * that was deleted by hand.
 */
export const linkedFolders = ({ files }: Host, root: string): string[] => {
  const top = topOfRepository({ files }, root)
  if (top === undefined) return []
  const worktrees = `${top}/.git/worktrees`
  return files.list(worktrees).flatMap((name) => {
    const gitFile = textIn(files, `${worktrees}/${name}/gitdir`)?.trim()
    if (!gitFile?.endsWith('/.git') || files.kind(gitFile) !== 'file') return []
    const folder = files.realPath(gitFile.slice(0, -'/.git'.length)) + root.slice(top.length)
    return files.kind(folder) === 'folder' ? [folder] : []
  })
}

/**
 * Returns the commit of a branch, as `git rev-parse` would. Only reads files of the main worktree. Returns null if
 * there is no such branch. Returns undefined if only git itself can tell:
 * - The branch is a link or a symbolic ref.
 * - The repository stores refs in another format.
 * - The commit has no file of its own: it is in a pack, or it is missing.
 */
export const branchInFiles = async (
  { files }: Pick<Host, 'files'>,
  top: string,
  ref: string,
): Promise<string | null | undefined> => {
  if (!hasHead(files, top)) return undefined
  const common = `${top}/.git`
  const stat = lstatAt(`${common}/${ref}`)
  if (stat && !stat.isFile()) return undefined
  const loose = stat && (await smallText(files, `${common}/${ref}`))?.trim()
  // `lstatAt` found the file, but it is gone now. Git might have moved the ref to its packed refs, so git must be
  // asked.
  if (stat && loose === undefined) return undefined
  if (!stat && lstatAt(`${common}/refs/heads`)?.isDirectory() !== true) return undefined
  const commit = loose ?? packedRef(files, common, ref)
  if (commit === null || commit === undefined) return commit
  if (!isCommit(commit)) return undefined
  const isThere = files.sizeSeen(`${common}/objects/${commit.slice(0, 2)}/${commit.slice(2)}`) > 0
  return isThere ? commit : undefined
}

export const folderOnBranch = async (
  { files }: Host,
  top: string,
  branch: string,
): Promise<string | undefined> => {
  const own = gitFolder(files, top)
  if (!own) return undefined
  const common = commonFolder(files, own)
  const has = (folder: string) => textIn(files, `${folder}/HEAD`)?.trim() === `ref: refs/heads/${branch}`
  if (has(common)) return common.endsWith('/.git') ? common.slice(0, -'/.git'.length) : common
  for (const name of files.list(`${common}/worktrees`)) {
    const record = `${common}/worktrees/${name}`
    if (!has(record)) continue
    const folder = textIn(files, `${record}/gitdir`)?.trim().slice(0, -'/.git'.length) ?? record
    // An agent can write files in `worktrees`, so check that the folder really is a worktree of this repository.
    const linked = await linkedWorktree({ files }, folder)
    if (linked?.top === folder && `${linked.main}/.git` === common) return folder
  }
  return undefined
}

export const checkoutBusyWith = async (
  { files }: Host,
  top: string,
): Promise<'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect' | undefined> => {
  const own = gitFolder(files, top)
  const has = (name: string) => own !== undefined && files.kind(`${own}/${name}`) !== undefined
  if (has('rebase-merge') || has('rebase-apply')) return 'rebase'
  if (has('MERGE_HEAD')) return 'merge'
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (has('REVERT_HEAD')) return 'revert'
  return has('BISECT_LOG') ? 'bisect' : undefined
}

/**
 * Whether a repository may be shallow. If it is, do not reuse a history that was read earlier. Git ends the history at
 * the commits in the file `shallow`, and a fetch can change this file.
 */
export const isShallow = ({ files }: Host, top: string): boolean => {
  const own = gitFolder(files, top)
  return own === undefined || files.kind(`${commonFolder(files, own)}/shallow`) !== undefined
}

/** Returns a hash of the sparse checkout's rules; undefined if there are no rules. */
export const sparseRules = async (host: Host, folder: string): Promise<string | undefined> => {
  const own = gitFolderAround(host.files, folder)
  const rules = own && host.files.read(`${own}/info/sparse-checkout`)
  return rules ? sha256(rules) : undefined
}

export const indexOf = async ({ files }: Host, top: string): Promise<string | undefined> => {
  const own = gitFolder(files, top)
  return own && `${own}/index`
}

/**
 * Whether the settings in a worktree's own `config.worktree` may start programs. An agent can write this file if its
 * sandbox protects only the settings of the repository.
 */
export const hasOwnPrograms = async ({ files }: Host, top: string): Promise<boolean> => {
  const path = `${gitFolder(files, top)}/config.worktree`
  const kind = statAt(path)?.kind
  if (kind !== 'file') return kind !== undefined
  const text = files.read(path) ?? ''
  // Allow two sections that git itself writes for a sparse checkout.
  return [...text.matchAll(/\[\s*([^\]\s"]*)/g)].some(([, name]) => !/^(?:core|index)$/i.test(name!))
}

const systemGit = '/usr/bin/git'

/**
 * Returns the texts of all files from which git reads its settings. Returns undefined if git does not come from a Linux
 * distribution: the path of the system settings depends on how git was built, and CLEO knows only `/etc/gitconfig`.
 */
export const configTexts = async (
  host: Host,
  top: string,
  program: string,
): Promise<string[] | undefined> => {
  const { files, env } = host
  const own = gitFolder(files, top)
  if (!own || files.kind('/proc/version') !== 'file' || files.realPath(program) !== systemGit)
    return undefined
  const common = commonFolder(files, own)
  const personal = env['HOME'] && `${env['HOME']}/.gitconfig`
  const xdg = env['XDG_CONFIG_HOME'] || (env['HOME'] && `${env['HOME']}/.config`)
  const paths = ['/etc/gitconfig', xdg && `${xdg}/git/config`, personal, `${common}/config`]
  const found = paths.map((path) => (path ? files.read(path) : undefined))
  // If there is no `config` file, the folder is not a repository.
  return found.at(-1) === undefined ? undefined : found.flatMap((text) => text ?? [])
}
