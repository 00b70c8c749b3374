import { resolvePath } from '../kernel/path.ts'
import type { Files, Host } from './host.ts'
import { sha256 } from './sha256.ts'

/**
 * Finds the top folder of the git repository that contains `folder`. It reads the file system, because starting git is
 * slower. At the top, `.git` is a folder with a HEAD, or the file that git writes into a linked worktree. Like git, this
 * ignores any other `.git`.
 */
export const topOfRepository = ({ files }: Pick<Host, 'files'>, folder: string): string | undefined => {
  for (let at = folder === '/' ? '' : folder; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (hasHead(files, at) || isGitFile(files, at)) return at || '/'
    if (at === '') return undefined
  }
}

export const hasRepository = (host: Host, folder: string): boolean =>
  topOfRepository(host, folder) !== undefined

const hasHead = (files: Files, folder: string): boolean => files.sizeSeen(`${folder}/.git/HEAD`) > 0
const isGitFile = (files: Files, folder: string): boolean =>
  files.sizeSeen(`${folder}/.git`) > 0 && files.kind(`${folder}/.git`) === 'file'

/** Whether a folder is a git repository without a working tree, as `git init --bare` creates it. */
export const isBareRepository = ({ files }: Host, folder: string): boolean =>
  files.kind(`${folder}/HEAD`) === 'file' &&
  files.kind(`${folder}/objects`) === 'folder' &&
  files.kind(`${folder}/refs`) === 'folder'

/** Finds the linked git worktree that contains a folder, and the main worktree. Undefined if either is missing. */
export const linkedWorktree = async (
  { files }: Host,
  from: string,
): Promise<{ top: string; main: string } | undefined> => {
  const top = topOfRepository({ files }, from)
  if (top === undefined || hasHead(files, top)) return undefined
  const own = await gitFolder(files, top)
  const common = own && (await files.load(`${own}/commondir`))
  if (!common) return undefined
  const shared = resolvePath(own, common.trim())
  if (!(await isListed(files, { top, own, shared }))) return undefined
  return shared.endsWith('/.git') ? { top, main: shared.slice(0, -'/.git'.length) || '/' } : undefined
}

/**
 * Whether git's own folder of the repository lists this worktree. Anyone can write a `.git` file that names a repository;
 * only a program that may write in the repository can add the link back.
 */
const isListed = async (
  files: Files,
  { top, own, shared }: { top: string; own: string; shared: string },
): Promise<boolean> => {
  const isSame = (one: string, other: string): boolean =>
    one === other || files.realPath(one) === files.realPath(other)
  if (!isSame(own.slice(0, own.lastIndexOf('/')), `${shared}/worktrees`)) return false
  const back = (await files.load(`${own}/gitdir`))?.trim()
  return !!back && isSame(resolvePath(own, back), `${top}/.git`)
}

/**
 * Returns the project's folder in each linked worktree of its repository, read from git's own files. Leaves out a
 * worktree that was deleted by hand.
 */
export const linkedFolders = ({ files }: Host, root: string): string[] => {
  const top = topOfRepository({ files }, root)
  if (top === undefined) return []
  const worktrees = `${top}/.git/worktrees`
  return files.list(worktrees).flatMap((name) => {
    const gitFile = files.read(`${worktrees}/${name}/gitdir`)?.trim()
    if (!gitFile?.endsWith('/.git') || files.kind(gitFile) !== 'file') return []
    const folder = files.realPath(gitFile.slice(0, -'/.git'.length)) + root.slice(top.length)
    return files.kind(folder) === 'folder' ? [folder] : []
  })
}

/** Reads the commit of HEAD from git's files; null before the first commit, undefined if only git can tell. */
export const headOf = async (host: Host, folder: string): Promise<string | null | undefined> => {
  const { files } = host
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const own = await gitFolder(files, top)
  const head = own && files.read(`${own}/HEAD`)?.trim()
  if (!own || !head) return undefined
  if (isCommit(head)) return head
  const ref = head.startsWith('ref: ') ? head.slice(5).trim() : ''
  // A repository with another ref format has `refs/heads/.invalid` in HEAD.
  if (!ref.startsWith('refs/') || ref.includes('..') || ref.endsWith('.invalid')) return undefined
  const common = resolvePath(own, (files.read(`${own}/commondir`) ?? '.').trim())
  const loose = files.read(`${common}/${ref}`)?.trim()
  if (loose !== undefined) return isCommit(loose) ? loose : undefined
  const packed = (files.read(`${common}/packed-refs`) ?? '').split('\n')
  const found = packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
  if (found === undefined) return null
  return isCommit(found) ? found : undefined
}

/** Returns the branch that is checked out in a folder; undefined if none is. */
export const branchOf = async (host: Host, folder: string): Promise<string | undefined> => {
  const top = topOfRepository(host, folder)
  const own = top === undefined ? undefined : await gitFolder(host.files, top)
  const head = own && (await host.files.load(`${own}/HEAD`))?.trim()
  const prefix = 'ref: refs/heads/'
  return head?.startsWith(prefix) ? head.slice(prefix.length) : undefined
}

/** Returns the folder of the worktree, main or linked, that has a branch checked out; undefined if none has. */
export const folderOnBranch = async (
  { files }: Host,
  top: string,
  branch: string,
): Promise<string | undefined> => {
  const own = await gitFolder(files, top)
  if (!own) return undefined
  const common = resolvePath(own, (files.read(`${own}/commondir`) ?? '.').trim())
  const has = (folder: string) => files.read(`${folder}/HEAD`)?.trim() === `ref: refs/heads/${branch}`
  if (has(common)) return common.endsWith('/.git') ? common.slice(0, -'/.git'.length) : common
  for (const name of files.list(`${common}/worktrees`)) {
    const folder = `${common}/worktrees/${name}`
    if (has(folder)) return files.read(`${folder}/gitdir`)?.trim().slice(0, -'/.git'.length) ?? folder
  }
  return undefined
}

/** What git has begun in a checkout and not finished; undefined if nothing. */
export const checkoutBusyWith = async (
  { files }: Host,
  top: string,
): Promise<'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect' | undefined> => {
  const own = await gitFolder(files, top)
  const has = (name: string) => own !== undefined && files.kind(`${own}/${name}`) !== undefined
  if (has('rebase-merge') || has('rebase-apply')) return 'rebase'
  if (has('MERGE_HEAD')) return 'merge'
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (has('REVERT_HEAD')) return 'revert'
  return has('BISECT_LOG') ? 'bisect' : undefined
}

/** Returns a hash of the rules of a sparse checkout; undefined if there are none. */
export const sparseRules = async (host: Host, folder: string): Promise<string | undefined> => {
  const top = topOfRepository(host, folder)
  const own = top === undefined ? undefined : await gitFolder(host.files, top)
  const rules = own && host.files.read(`${own}/info/sparse-checkout`)
  return rules ? sha256(rules) : undefined
}

/** Returns the path of git's index; undefined if the folder is not the top of a repository. */
export const indexOf = async ({ files }: Host, top: string): Promise<string | undefined> => {
  const own = await gitFolder(files, top)
  return own && `${own}/index`
}

const systemGit = '/usr/bin/git'

/**
 * Returns the texts of all files from which git reads its settings; undefined if not all of them are known. Where the
 * settings of the system are depends on how git was built: this is known for the git of a Linux distribution.
 */
export const configTexts = async (
  host: Host,
  top: string,
  program: string,
): Promise<string[] | undefined> => {
  const { files, env } = host
  const own = await gitFolder(files, top)
  if (!own || files.kind('/proc/version') !== 'file' || files.realPath(program) !== systemGit)
    return undefined
  const common = resolvePath(own, (files.read(`${own}/commondir`) ?? '.').trim())
  const personal = env['HOME'] && `${env['HOME']}/.gitconfig`
  const xdg = env['XDG_CONFIG_HOME'] || (env['HOME'] && `${env['HOME']}/.config`)
  const paths = ['/etc/gitconfig', xdg && `${xdg}/git/config`, personal, `${common}/config`]
  const found = paths.map((path) => (path ? files.read(path) : undefined))
  // A folder without git settings of its own is not a repository.
  return found.at(-1) === undefined ? undefined : found.flatMap((text) => text ?? [])
}

/** Returns git's folder of a worktree. In a linked worktree, `.git` is a file that names this folder. */
const gitFolder = async (files: Files, top: string): Promise<string | undefined> => {
  if (hasHead(files, top)) return `${top}/.git`
  const gitdir = /^gitdir: (.+)$/m.exec((await files.load(`${top}/.git`)) ?? '')?.[1]
  return gitdir && resolvePath(top, gitdir.trim())
}

const isCommit = (text: string): boolean => {
  if (text.length !== 40 && text.length !== 64) return false
  for (const char of text) if (!'0123456789abcdef'.includes(char)) return false
  return true
}
