import type { Host } from '../host/host.ts'
import { lstatAt } from '../host/stat.ts'
import { pathsIn } from '../host/work-tree.ts'
import { indexOf } from './repository.ts'

/** At most this many files of a worktree are checked, so that the check takes less than a second. */
const mostFiles = 20_000

/**
 * Returns when a file of a worktree last changed or its last commit was made, whichever is later; 0 if neither is
 * known. Starts no git process. Stops at the first change after `enough`, because a later time would not change the
 * caller's decision.
 */
export const lastChangeIn = async (host: Host, folder: string, enough: number): Promise<number> => {
  const index = await indexOf(host, folder)
  // Git appends a line to this file with every commit.
  let last = index === undefined ? 0 : changedAt(index.replace(/index$/, 'logs/HEAD'))
  let looked = 0
  for (const path of pathsIn(folder, () => false)) {
    if (last > enough || looked++ >= mostFiles) break
    last = Math.max(last, changedAt(`${folder}/${path}`))
  }
  return last
}

const changedAt = (path: string): number => lstatAt(path)?.mtimeMs ?? 0
