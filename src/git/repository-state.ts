import { contentAt, hashKind } from '../host/content-at.ts'
import type { Host } from '../host/host.ts'
import { lstatAt, statAt } from '../host/stat.ts'
import { pathsIn } from '../host/work-tree.ts'
import { type Git, gitAt } from './git.ts'
import { linkedFolders } from './git-folder.ts'
import type { GitSettings, IndexDifference, ListedFile } from './git-index.ts'
import type { IndexedFile } from './index-file.ts'
import { matchesBlob } from './matches-blob.ts'
import { type KnownFiles, knownFiles, type StartedComparison, startComparison } from './start-comparison.ts'

/** A file that differs from HEAD. */
export interface OpenFile {
  /** Relative to the top of the repository. */
  path: string
  how: 'untracked' | 'changed' | 'deleted' | 'staged' | 'unmerged' | 'at another commit' | 'a repository'
  module?: string
}

/** The files of a repository and of its submodules, compared with HEAD. */
export interface RepositoryState {
  open: OpenFile[]
  /** Every file that git tracks or would add. */
  files: Map<string, RepositoryFile>
  /** The submodules that are checked out. */
  modules: string[]
  /** Warnings about parts of the repository that were not checked. */
  warnings: string[]
}

export interface RepositoryFile {
  tracked: boolean
  /** Hash of the blob in the index; empty for an untracked file. */
  blob: string
  /**
   * Stat data, which change whenever the file is written. Undefined if the caller did not ask for them, or if the file
   * is missing.
   */
  stat?: StatData
}

interface StatData {
  size: number
  ino: number
  mtimeMs: number
  ctimeMs: number
}

export const isSameStat = (one: StatData | undefined, other: StatData | undefined): boolean =>
  one?.ctimeMs === other?.ctimeMs &&
  one?.mtimeMs === other?.mtimeMs &&
  one?.ino === other?.ino &&
  one?.size === other?.size

interface StateOptions {
  /** Files that changed after this time are read even if the index says that they are unchanged. */
  since?: number
  /** True to accept that a file is missing because a sparse checkout leaves it out. */
  maySkip: boolean
  withStats?: boolean
  /**
   * Returns true for a file that is not part of the work. Such a file is neither compared nor reported as open. The
   * path is relative to the top.
   */
  isOutside?(path: string, isTracked: boolean): boolean
  /** A comparison of the outermost repository, if the caller has already started one. */
  started?: StartedComparison
}

const mostModules = 100
/**
 * The stored time of a file's last change can be this many milliseconds too early. Some file systems store whole
 * seconds, and some store only even seconds. All others store the time of the system's last clock tick.
 */
const roundingMs = { seconds: 2000, ticks: 10 }

/**
 * Compares a repository with HEAD. The stat data in git's index show which files might have changed, and CLEO reads
 * only these files. CLEO compares the bytes itself, because git would run filters on them. A filter is a program of the
 * repository that can return anything. Returns undefined if git fails.
 */
export const repositoryState = async (
  host: Host,
  top: string,
  options: StateOptions,
): Promise<RepositoryState | undefined> => {
  const state: RepositoryState = { open: [], files: new Map(), modules: [], warnings: [] }
  const modules = ['']
  for (let i = 0; i < modules.length; i++) {
    if (i > mostModules) {
      state.warnings.push(`only the first ${mostModules} submodules were checked`)
      break
    }
    const module = modules[i]!
    const found = await readModule({ host, top, module, options, state })
    if (!found) return undefined
    modules.push(...found)
    state.modules.push(...found)
  }
  return state
}

/**
 * Lists the files of a repository and of its submodules, with their stat data, and compares nothing. Returns
 * undefined if git fails.
 */
export const repositoryFiles = async (
  host: Host,
  top: string,
): Promise<RepositoryState['files'] | undefined> => {
  const files: RepositoryState['files'] = new Map()
  const modules = ['']
  for (let i = 0; i < modules.length && i <= mostModules; i++) {
    const folder = modules[i] === '' ? top : `${top}/${modules[i]}`
    const git = gitAt(host, folder)
    const known = git && (await knownFiles(host, git, folder))
    const others = await known?.others()
    if (!known || !others) return undefined
    const listing = [...known.files, ...others]
    const pathOf = below(modules[i]!)
    addFiles(files, listing, folder, pathOf, true)
    modules.push(...checkedOut(listing, folder, () => undefined).map(pathOf))
  }
  return files
}

const below = (module: string) => (path: string) => (module === '' ? path : `${module}/${path}`)

const addFiles = (
  files: RepositoryState['files'],
  listing: readonly ListedFile[],
  folder: string,
  pathOf: (path: string) => string,
  withStats: boolean,
): void => {
  for (const { path, tracked, blob, isModule } of listing) {
    if (isModule) continue
    files.set(pathOf(path), { tracked, blob, ...(withStats && statData(`${folder}/${path}`)) })
  }
}

/** `statAt` would build a string for each file. This function does not, because a repository has many files. */
const statData = (path: string): Pick<RepositoryFile, 'stat'> => {
  const stat = lstatAt(path)
  return stat
    ? { stat: { size: stat.size, ino: stat.ino, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs } }
    : {}
}

interface Reading {
  host: Host
  /** The top of the outermost repository. */
  top: string
  /** The submodule to read, relative to `top`; empty for the repository itself. */
  module: string
  options: StateOptions
  state: RepositoryState
}

/** Reads one repository and returns its submodules; undefined if git fails. */
const readModule = async (reading: Reading): Promise<string[] | undefined> => {
  const { host, top, module, state } = reading
  const folder = module === '' ? top : `${top}/${module}`
  const { since, withStats = false, isOutside = () => false, started } = reading.options
  const pathOf = below(module)
  const add = (path: string, how: OpenFile['how']) =>
    state.open.push({ path: pathOf(path), how, ...(module !== '' && { module }) })
  const addTracked = ({ files }: KnownFiles) => addFiles(state.files, files, folder, pathOf, withStats)
  const comparison =
    module === '' && started && !withStats ? started : await startComparison(host, folder, addTracked)
  if (!comparison) return undefined
  const { git, settings, tracked } = comparison
  if (comparison === started) addTracked(tracked)
  const [known, others] = await Promise.all([comparison.differences, comparison.others])
  if (!others) return undefined
  addFiles(state.files, others, folder, pathOf, withStats)
  // Before the first commit there is no HEAD. All tracked files then count as staged.
  const staged = known === undefined && (await git.commit('HEAD')) === undefined
  if (git.fault() || (known === undefined && !staged)) return undefined
  const differences = new Map((known ?? []).map((each) => [each.path, each]))
  for (const difference of differences.values()) {
    if (isOutside(pathOf(difference.path), true)) continue
    const isInIndex = state.files.get(pathOf(difference.path))?.tracked === true
    const how = await differs(git, folder, difference, isInIndex)
    if (how) add(difference.path, how)
  }
  const isRecent = recentFiles(tracked, folder, since)
  const listing = [...tracked.files, ...others]
  for (const file of listing) {
    const isTracked = file.tracked
    // Skip most tracked files before calling `isOutside`, because that call is slow.
    if (
      isTracked &&
      !staged &&
      (differences.has(file.path) || file.isModule || !(file.flag || isRecent(file)))
    )
      continue
    if (isOutside(pathOf(file.path), isTracked)) continue
    if (!isTracked) addUntracked(reading, file, folder, add)
    else if (staged) add(file.path, 'staged')
    else {
      const how = await differsFromIndex(git, folder, file, settings, reading.options)
      if (how) add(file.path, how)
    }
  }
  return checkedOut(listing, folder, add).map(pathOf)
}

const addUntracked = (
  { host, top }: Reading,
  { path }: ListedFile,
  folder: string,
  add: (path: string, how: OpenFile['how']) => void,
): void => {
  if (!path.endsWith('/')) add(path, 'untracked')
  // A worktree below this folder is left out, because another agent can work in it.
  else if (!linkedFolders(host, top).includes(`${folder}/${path.slice(0, -1)}`)) add(path, 'a repository')
}

/** Returns undefined if only the file's stat data differ. */
const differs = async (
  git: Git,
  folder: string,
  { path, status, modes, blob, isStaged }: IndexDifference,
  isInIndex: boolean,
): Promise<OpenFile['how'] | undefined> => {
  if (status === 'U') return 'unmerged'
  if (status === 'A') return 'staged'
  if (status === 'D') return isInIndex ? 'deleted' : 'staged'
  const place = `${folder}/${path}`
  if (modes.includes('160000')) return 'at another commit'
  const content = contentAt(place, hashKind(blob))
  if (!content) return 'deleted'
  if (modes[0] === modes[1] && (await matchesBlob(git, place, content, blob))) return undefined
  return isStaged ? 'staged' : 'changed'
}

/**
 * Returns a function that tells whether a file changed after `since`. Such a file must be read even if the index says
 * that it is unchanged. A filter during `git add`, or a program that writes the index, can make the index wrong.
 *
 * The index also contains the time of a file's last change, in whole seconds. Git has compared this time with the file,
 * so the time is right. If it is some seconds before `since`, the file did not change. For any other file, the function
 * reads the exact time of the last change, which programs cannot set back. Whole seconds would not be exact enough for
 * a new worktree. It is made just before its spawn, so all its files would seem to have changed, and each check would
 * read them.
 */
const recentFiles = (
  { isFromIndex }: KnownFiles,
  folder: string,
  since: number | undefined,
): ((file: ListedFile | IndexedFile) => boolean) => {
  if (since === undefined) return () => false
  const firstSecond = Math.floor((since - roundingMs.seconds) / 1000)
  return (file) => {
    if (isFromIndex && 'changed' in file && file.changed < firstSecond) return false
    const changed = statAt(`${folder}/${file.path}`)?.changed ?? since
    return changed >= since - (changed % 1000 === 0 ? roundingMs.seconds : roundingMs.ticks)
  }
}

const differsFromIndex = async (
  git: Git,
  folder: string,
  { path, blob, mode, flag }: ListedFile,
  { isSparse, hasModes }: GitSettings,
  { maySkip }: StateOptions,
): Promise<OpenFile['how'] | undefined> => {
  const place = `${folder}/${path}`
  const content = contentAt(place, hashKind(blob))
  if (!content) return flag === 'skip-worktree' && isSparse && maySkip ? undefined : 'deleted'
  if (hasModes && content.is === 'file' && content.isProgram !== (mode === '100755')) return 'changed'
  return (await matchesBlob(git, place, content, blob)) ? undefined : 'changed'
}

/**
 * Returns the submodules that are checked out. Any other submodule must be missing, or be an empty folder as in a new
 * clone. Otherwise this function reports the submodule as changed.
 */
const checkedOut = (
  listing: readonly ListedFile[],
  folder: string,
  add: (path: string, how: OpenFile['how']) => void,
): string[] =>
  listing.flatMap(({ path, isModule }) => {
    if (!isModule) return []
    if (statAt(`${folder}/${path}/.git`)) return [path]
    const stat = statAt(`${folder}/${path}`)
    if (stat && (stat.kind !== 'folder' || pathsIn(`${folder}/${path}`, () => false).next().done === false))
      add(path, 'changed')
    return []
  })
