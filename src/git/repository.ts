import type { Files, Host } from '../host/host.ts'

/**
 * Finds the top folder of the git repository that contains `folder`. Looks at the file system, because starting git is
 * slower. The top has a `.git` folder with a HEAD. In a linked worktree or a submodule, it has a `.git` file instead.
 * Ignores any other `.git`, as git does.
 */
export const topOfRepository = ({ files }: Pick<Host, 'files'>, folder: string): string | undefined =>
  repositoryAt(files, folder).top

const repositoryAt = (files: Files, folder: string): { top?: string; gitFile?: string } => {
  for (let at = folder === '/' ? '' : folder; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const top = at || '/'
    if (hasHead(files, at)) return { top }
    const gitFile = files.sizeSeen(`${at}/.git`) > 0 ? textIn(files, `${at}/.git`) : undefined
    if (gitFile !== undefined) return { top, gitFile }
    if (at === '') return {}
  }
}

export const hasRepository = (host: Host, folder: string): boolean =>
  topOfRepository(host, folder) !== undefined

export const hasHead = (files: Files, folder: string): boolean => files.sizeSeen(`${folder}/.git/HEAD`) > 0
/** Whether the top of a repository is a linked worktree or a submodule, whose `.git` is a file. */
export const isLinkedTop = ({ files }: Host, top: string): boolean => !hasHead(files, top)

export const isBareRepository = ({ files }: Host, folder: string): boolean =>
  files.kind(`${folder}/HEAD`) === 'file' &&
  files.kind(`${folder}/objects`) === 'folder' &&
  files.kind(`${folder}/refs`) === 'folder'

/**
 * Finds the linked worktree that contains `from`, and its main worktree. Returns undefined if `from` is in no linked
 * worktree that the repository lists, or if the repository is bare.
 */
export const linkedWorktree = async (
  { files }: Pick<Host, 'files'>,
  from: string,
): Promise<{ top: string; main: string } | undefined> => {
  const { top, gitFile } = repositoryAt(files, from)
  const own = top === undefined || gitFile === undefined ? undefined : namedFolder(files, top, gitFile)
  const common = own && textIn(files, `${own}/commondir`)
  if (top === undefined || !common) return undefined
  const shared = sharedFolder(files, own, common)
  if (!isListed(files, { top, own, shared })) return undefined
  return shared.endsWith('/.git') ? { top, main: shared.slice(0, -'/.git'.length) || '/' } : undefined
}

/**
 * Whether the repository lists this worktree in its own `.git` folder. A `.git` file that names a repository proves
 * nothing, because anyone can write one. To add a worktree to the list, a program must be able to write in the
 * repository.
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

/** Returns null if there is no commit yet. Returns undefined if only git itself can tell. */
export const headOf = async (host: Host, folder: string): Promise<string | null | undefined> => {
  const { files } = host
  const own = gitFolderAround(files, folder)
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

/** Returns null if git's list of packed refs does not have the ref. */
export const packedRef = (files: Files, common: string, ref: string): string | null | undefined => {
  const list = `${common}/packed-refs`
  const packed = ((files.sizeSeen(list) > 0 && textIn(files, list)) || '').split('\n')
  const found = packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
  if (found === undefined) return null
  return isCommit(found) ? found : undefined
}

export const branchOf = async (host: Host, folder: string): Promise<string | undefined> => {
  const own = gitFolderAround(host.files, folder)
  const head = own && textIn(host.files, `${own}/HEAD`)?.trim()
  const prefix = 'ref: refs/heads/'
  return head?.startsWith(prefix) ? head.slice(prefix.length) : undefined
}

/**
 * Returns the folder in which git stores a worktree's data. In a linked worktree, `.git` is a file that names this
 * folder.
 */
export const gitFolder = (files: Files, top: string): string | undefined =>
  hasHead(files, top) ? `${top}/.git` : namedFolder(files, top, textIn(files, `${top}/.git`) ?? '')

/** Like `gitFolder`, for the repository that contains `folder`. Looks at each file only once. */
export const gitFolderAround = (files: Files, folder: string): string | undefined => {
  const { top, gitFile } = repositoryAt(files, folder)
  if (top === undefined) return undefined
  return gitFile === undefined ? `${top}/.git` : namedFolder(files, top, gitFile)
}

const namedFolder = (files: Files, top: string, gitFile: string): string | undefined =>
  gitFile.startsWith(gitFileStart) ? placeNamed(files, top, gitFile.slice(gitFileStart.length)) : undefined

/**
 * Reads a file of git. An agent can replace such a file by a pipe, and reading a pipe would block. So anything but a
 * regular file counts as missing.
 */
export const textIn = (files: Files, path: string): string | undefined => files.plainText(path)

/** Reads a file of git that has one line. Unlike `textIn`, it does not need `node:fs`, which takes long to load. */
export const smallText = (files: Files, path: string): Promise<string | undefined> | string | undefined => {
  const size = files.sizeSeen(path)
  if (size === 0) return undefined
  return size > mostOfOneLine ? files.head(path, mostOfOneLine) : files.load(path)
}
const mostOfOneLine = 4096

const gitFileStart = 'gitdir: '

/** Returns the folder that all worktrees of a repository share. */
export const commonFolder = (files: Files, own: string): string => {
  const named = textIn(files, `${own}/commondir`)
  return named === undefined ? own : placeNamed(files, own, named)
}

/**
 * Returns the path that a file of git contains. The path is the whole text without the line breaks at its end. Follows
 * links before it applies a `..`, as git does. Otherwise, an agent could make CLEO and git see different repositories.
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

export const isCommit = (text: string): boolean => {
  if (text.length !== 40 && text.length !== 64) return false
  for (const char of text) if (!'0123456789abcdef'.includes(char)) return false
  return true
}
