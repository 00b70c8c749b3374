import type { Host } from '../host/host.ts'
import { lstatAt } from '../host/stat.ts'
import { pathsIn } from '../host/work-tree.ts'
import { indexOf } from './git-folder.ts'

/** At most this many files of a worktree are checked, so that the check takes less than a second. */
const mostFiles = 20_000

/**
 * Returns the time of the last change of a file or of the last commit in a worktree, whichever is later. Returns 0
 * if both are unknown. Starts no git process. The caller only needs to know whether anything changed after the time
 * `enough`, so the search stops at the first later change.
 */
export const lastChangeIn = async (host: Host, folder: string, enough: number): Promise<number> => {
  const index = await indexOf(host, folder)
  // Git appends a line to this file with every commit, so its time shows when the last commit was made.
  let last = index === undefined ? 0 : changedAt(index.replace(/index$/, 'logs/HEAD'))
  let looked = 0
  for (const path of pathsIn(folder, () => false)) {
    if (last > enough || looked++ >= mostFiles) break
    last = Math.max(last, changedAt(`${folder}/${path}`))
  }
  return last
}

const changedAt = (path: string): number => lstatAt(path)?.mtimeMs ?? 0
