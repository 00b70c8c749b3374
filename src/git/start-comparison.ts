import type { Host } from '../host/host.ts'
import { type Git, gitAt } from './git.ts'
import { indexOf } from './git-folder.ts'
import type { GitSettings, IndexDifference, ListedFile } from './git-index.ts'
import { filesInIndex, type IndexedFile } from './index-file.ts'

/**
 * A comparison of a repository with HEAD. Its git processes were started, and run while the caller does other work.
 */
export interface StartedComparison {
  git: Git
  settings: GitSettings
  tracked: KnownFiles
  /** The files that might differ from HEAD; undefined if git failed. */
  differences: Promise<IndexDifference[] | undefined>
  /** The files that are not in `tracked`; undefined if git failed. */
  others: Promise<readonly ListedFile[] | undefined>
}

/**
 * Starts the git processes that compare a repository with HEAD. Calls `beforeGit` before the first process starts.
 * The comparison notices every file that changes after this call. Returns undefined if git fails.
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
  return { git, settings, tracked, differences: git.differences(settings), others: tracked.others() }
}

export interface KnownFiles {
  files: readonly (ListedFile | IndexedFile)[]
  /** Lists the files that are not in `files`. */
  others(): Promise<readonly ListedFile[] | undefined>
  isFromIndex: boolean
}

/**
 * Reads the tracked files from git's index. If this code cannot read the format of the index, asks git for all files.
 */
export const knownFiles = async (host: Host, git: Git, folder: string): Promise<KnownFiles | undefined> => {
  const index = await indexOf(host, folder)
  const indexed = index && filesInIndex(index)
  if (indexed) return { files: indexed, others: git.untracked, isFromIndex: true }
  const files = await git.listing()
  return files && { files, others: async () => [], isFromIndex: false }
}
