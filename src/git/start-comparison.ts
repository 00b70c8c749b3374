import type { Host } from '../host/host.ts'
import { type Git, gitAt } from './git.ts'
import { indexOf } from './git-folder.ts'
import type { GitSettings, IndexDifference, ListedFile } from './git-index.ts'
import { type IndexedFile, readIndex } from './index-file.ts'
import { hasTrueTrees } from './index-trees.ts'

/** A comparison of a repository with HEAD. Its git processes run while the caller does other work. */
export interface StartedComparison {
  git: Git
  settings: GitSettings
  tracked: KnownFiles
  differences: Promise<IndexDifference[] | undefined>
  /** The files that are not in `tracked`; undefined if git failed. */
  others: Promise<readonly ListedFile[] | undefined>
}

/**
 * Starts the git processes that compare a repository with HEAD. Calls `beforeGit` before the first process starts. So
 * the stat data that `beforeGit` reads are never newer than the files that git compares. Returns undefined if git
 * fails.
 */
export const startComparison = async (
  host: Host,
  folder: string,
  beforeGit?: (tracked: KnownFiles) => void,
): Promise<StartedComparison | undefined> => {
  const git = gitAt(host, folder)
  if (!git) return undefined
  const [settings, tracked] = await Promise.all([git.settings(), knownFiles(host, git, folder)])
  if (!settings || !tracked) return undefined
  beforeGit?.(tracked)
  const others = tracked.others()
  return { git, settings, tracked, differences: differencesFrom(git, settings, tracked), others }
}

export interface KnownFiles {
  files: readonly (ListedFile | IndexedFile)[]
  /** Lists the files that are not in `files`. */
  others(): Promise<readonly ListedFile[] | undefined>
  isFromIndex: boolean
  /** Whether the list of trees in the index matches the entries. If not, git can overlook staged differences. */
  hasTrueTrees(): boolean
}

const differencesFrom = async (
  git: Git,
  settings: GitSettings,
  { files, hasTrueTrees }: KnownFiles,
): Promise<IndexDifference[] | undefined> => {
  // Start git before `hasTrueTrees`, so that git runs while this process hashes the trees.
  const started = git.differences(settings)
  if (hasTrueTrees()) return started
  const [found, staged] = await Promise.all([started, git.stagedDifferences(files)])
  if (!found || !staged) return undefined
  const unmerged = new Set(found.flatMap(({ path, status }) => (status === 'U' ? [path] : [])))
  // If a path is in both lists, the caller uses the later item, which is the one from `staged`.
  return [...found, ...staged.filter(({ path }) => !unmerged.has(path))]
}

/** If this code cannot read the format of the index, asks git for all files. */
export const knownFiles = async (host: Host, git: Git, folder: string): Promise<KnownFiles | undefined> => {
  const index = await indexOf(host, folder)
  const read = index && readIndex(index)
  if (read) {
    const { files, places } = read
    return { files, others: git.untracked, isFromIndex: true, hasTrueTrees: () => hasTrueTrees(places) }
  }
  const files = await git.listing()
  return files && { files, others: async () => [], isFromIndex: false, hasTrueTrees: () => false }
}
