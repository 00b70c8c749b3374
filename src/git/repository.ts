import type { Files, Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'

/**
 * Finds the top folder of the git repository that contains `folder`. Looks at the file system, because starting git
 * is slower. At the top, `.git` is a folder with a HEAD. In a linked worktree, it is a file. Like git, ignores any
 * other `.git`.
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
/** Whether the top of a repository is a linked worktree or a submodule, whose `.git` is a file. */
export const isLinkedTop = ({ files }: Host, top: string): boolean => !hasHead(files, top)
const isGitFile = (files: Files, folder: string): boolean =>
  files.sizeSeen(`${folder}/.git`) > 0 && files.kind(`${folder}/.git`) === 'file'

/** Whether a folder is a git repository without a working tree, as `git init --bare` creates it. */
export const isBareRepository = ({ files }: Host, folder: string): boolean =>
  files.kind(`${folder}/HEAD`) === 'file' &&
  files.kind(`${folder}/objects`) === 'folder' &&
  files.kind(`${folder}/refs`) === 'folder'

/** Finds the linked git worktree that contains a folder, and its main worktree. Undefined if either does not exist. */
export const linkedWorktree = async (
  { files }: Pick<Host, 'files'>,
  from: string,
): Promise<{ top: string; main: string } | undefined> => {
  const top = topOfRepository({ files }, from)
  const own = top === undefined || hasHead(files, top) ? undefined : namedFolder(files, top)
  const common = own && textIn(files, `${own}/commondir`)
  if (top === undefined || !common) return undefined
  const shared = sharedFolder(files, own, common)
  if (!isListed(files, { top, own, shared })) return undefined
  return shared.endsWith('/.git') ? { top, main: shared.slice(0, -'/.git'.length) || '/' } : undefined
}

/**
 * Whether the repository lists this worktree in its own `.git` folder. Anyone can write a `.git` file that names a
 * repository. To add a worktree to the list, a program must be able to write in the repository.
 */
const isListed = (
  files: Files,
  { top, own, shared }: { top: string; own: string; shared: string },
): boolean => {
  const isSame = (one: string, other: string): boolean =>
    one === other || files.realPath(one) === files.realPath(other)
  if (!isSame(own.slice(0, own.lastIndexOf('/')), `${shared}/worktrees`)) return false
  const back = textIn(files, `${own}/gitdir`)
  const link = `${top}/.git`
  return !!back && (withoutBreaks(back) === link || isSame(placeNamed(files, own, back), link))
}

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
 * Reads the commit of HEAD from git's files. Returns null if there is no commit yet. Returns undefined if only git
 * itself can tell.
 */
export const headOf = async (host: Host, folder: string): Promise<string | null | undefined> => {
  const { files } = host
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const own = gitFolder(files, top)
  const head = own && (await smallText(files, `${own}/HEAD`))?.trim()
  if (!own || !head) return undefined
  if (isCommit(head)) return head
  const ref = head.startsWith('ref: ') ? head.slice(5).trim() : ''
  // `refs/heads/.invalid` means that the repository stores its refs in another format, which only git can read.
  if (!ref.startsWith('refs/') || ref.includes('..') || ref.endsWith('.invalid')) return undefined
  const named = await smallText(files, `${own}/commondir`)
  const common = named === undefined ? own : placeNamed(files, own, named)
  const loose = (await smallText(files, `${common}/${ref}`))?.trim()
  if (loose !== undefined) return isCommit(loose) ? loose : undefined
  return packedRef(files, common, ref)
}

/** Returns the commit of a ref in git's list of packed refs; null if the list does not have it. */
const packedRef = (files: Files, common: string, ref: string): string | null | undefined => {
  const list = `${common}/packed-refs`
  const packed = ((files.sizeSeen(list) > 0 && textIn(files, list)) || '').split('\n')
  const found = packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
  if (found === undefined) return null
  return isCommit(found) ? found : undefined
}

/**
 * Reads the commit of a branch from the files of a main worktree, as `git rev-parse` would answer. Returns null if there
 * is no such branch. Returns undefined if only git itself can tell: the branch is a link or a symbolic ref, the
 * repository stores refs in another format, or the commit is in a pack or missing.
 */
export const branchInFiles = async (
  { files }: Pick<Host, 'files'>,
  top: string,
  ref: string,
): Promise<string | null | undefined> => {
  if (!hasHead(files, top)) return undefined
  const { lstatAt } = await import('../host/stat.ts')
  const common = `${top}/.git`
  const stat = lstatAt(`${common}/${ref}`)
  if (stat && !stat.isFile()) return undefined
  const loose = stat && (await smallText(files, `${common}/${ref}`))?.trim()
  // Git may have moved the ref to its list after `lstatAt`, and a reader must look at the file first, then at the list.
  if (stat && loose === undefined) return undefined
  if (!stat && lstatAt(`${common}/refs/heads`)?.isDirectory() !== true) return undefined
  const commit = loose ?? packedRef(files, common, ref)
  if (commit === null || commit === undefined) return commit
  if (!isCommit(commit)) return undefined
  const isThere = files.sizeSeen(`${common}/objects/${commit.slice(0, 2)}/${commit.slice(2)}`) > 0
  return isThere ? commit : undefined
}

/** Returns the branch that is checked out in a folder; undefined if none is. */
export const branchOf = async (host: Host, folder: string): Promise<string | undefined> => {
  const top = topOfRepository(host, folder)
  const own = top === undefined ? undefined : gitFolder(host.files, top)
  const head = own && textIn(host.files, `${own}/HEAD`)?.trim()
  const prefix = 'ref: refs/heads/'
  return head?.startsWith(prefix) ? head.slice(prefix.length) : undefined
}

/** Returns the folder of the worktree, main or linked, that has a branch checked out; undefined if none has. */
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
    // An agent can write such a record, so check that the folder really is a worktree of this repository.
    const linked = await linkedWorktree({ files }, folder)
    if (linked?.top === folder && `${linked.main}/.git` === common) return folder
  }
  return undefined
}

/**
 * Returns the git action, such as a merge, that was started in a checkout and is not finished. Returns undefined if no
 * action was started.
 */
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

/** Returns a hash of the sparse checkout's rules; undefined if there are no rules. */
export const sparseRules = async (host: Host, folder: string): Promise<string | undefined> => {
  const top = topOfRepository(host, folder)
  const own = top === undefined ? undefined : gitFolder(host.files, top)
  const rules = own && host.files.read(`${own}/info/sparse-checkout`)
  return rules ? sha256(rules) : undefined
}

/** Returns the path of git's index; undefined if the folder is not the top of a repository. */
export const indexOf = async ({ files }: Host, top: string): Promise<string | undefined> => {
  const own = gitFolder(files, top)
  return own && `${own}/index`
}

/**
 * Whether a linked worktree has git settings of its own that may start programs. A sandbox may protect only the
 * settings of the repository. An agent can still write settings into the worktree's folder below `.git`.
 */
export const hasOwnPrograms = async ({ files }: Host, top: string): Promise<boolean> => {
  const { statAt } = await import('../host/stat.ts')
  const path = `${gitFolder(files, top)}/config.worktree`
  const kind = statAt(path)?.kind
  if (kind !== 'file') return kind !== undefined
  const text = files.read(path) ?? ''
  // Git itself writes these two sections, for a sparse checkout.
  return [...text.matchAll(/\[\s*([^\]\s"]*)/g)].some(([, name]) => !/^(?:core|index)$/i.test(name!))
}

const systemGit = '/usr/bin/git'

/**
 * Returns the texts of all files from which git reads its settings. Returns undefined if CLEO does not know all of
 * these files. The path of the system settings depends on how git was built. CLEO knows this path only for the git of
 * a Linux distribution.
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

/**
 * Returns the folder in which git stores a worktree's data. In a linked worktree, `.git` is a file that names this
 * folder.
 */
const gitFolder = (files: Files, top: string): string | undefined =>
  hasHead(files, top) ? `${top}/.git` : namedFolder(files, top)

/** Returns the folder that the `.git` file of a linked worktree or submodule names. */
const namedFolder = (files: Files, top: string): string | undefined => {
  const text = textIn(files, `${top}/.git`) ?? ''
  return text.startsWith(gitFileStart) ? placeNamed(files, top, text.slice(gitFileStart.length)) : undefined
}

/**
 * Reads a file of git. An agent can replace such a file by a pipe, and reading a pipe would block. So anything but a
 * regular file counts as missing.
 */
const textIn = (files: Files, path: string): string | undefined => files.plainText(path)

/** Reads a file of git that has one line. Unlike `textIn`, it does not need `node:fs`, which takes long to load. */
const smallText = (files: Files, path: string): Promise<string | undefined> | string | undefined => {
  const size = files.sizeSeen(path)
  if (size === 0) return undefined
  return size > mostOfOneLine ? files.head(path, mostOfOneLine) : files.load(path)
}
const mostOfOneLine = 4096

const gitFileStart = 'gitdir: '

/** Returns the folder that all worktrees of a repository share. */
const commonFolder = (files: Files, own: string): string => {
  const named = textIn(files, `${own}/commondir`)
  return named === undefined ? own : placeNamed(files, own, named)
}

/**
 * Returns the path that a file of git contains. The path is the whole text without the line breaks at its end. Follows
 * links before it applies a `..`, as git does. Otherwise an agent could make CLEO and git see different repositories.
 */
const placeNamed = (files: Files, from: string, text: string): string => {
  const path = withoutBreaks(text)
  return files.realPath(path.startsWith('/') ? path : `${from}/${path}`)
}

const withoutBreaks = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}

/**
 * Like `placeNamed`, for the `commondir` of a linked worktree. The path `own` has no links, because `placeNamed`
 * resolved it. So the usual text `../..` needs no look at the file system.
 */
const sharedFolder = (files: Files, own: string, text: string): string => {
  if (withoutBreaks(text) !== '../..') return placeNamed(files, own, text)
  const parent = own.slice(0, own.lastIndexOf('/'))
  return parent.slice(0, parent.lastIndexOf('/')) || '/'
}

const isCommit = (text: string): boolean => {
  if (text.length !== 40 && text.length !== 64) return false
  for (const char of text) if (!'0123456789abcdef'.includes(char)) return false
  return true
}
