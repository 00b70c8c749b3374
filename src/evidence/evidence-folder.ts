import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { type Git, gitAt } from '../host/git.ts'
import { headOf } from '../host/repository.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Problem } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { termsOf } from './spawn-terms.ts'

/** The folder in which evidence is checked, and its git repository. */
export interface EvidenceFolder {
  folder: string
  /** Undefined if the folder is not in a repository. */
  git?: Git
  /** Why the repository is gone, if the folder had one when the task was spawned. */
  lost?: string
  /** The commit that was checked out when the task was first spawned. */
  began?: string
  /** The commit that is checked out now; undefined before the first commit. */
  head?: string
}

/** Returns the caller's worktree. A spawn that was given a worktree must run the command in that worktree. */
export const evidenceFolderFor = async (
  context: Context,
  spawn: SpawnRow | undefined,
): Promise<{ where: EvidenceFolder; problems: Problem[] }> => {
  const folder = await workFolder(context)
  const given = optionsOf(spawn)?.worktree
  const problems =
    given !== undefined && given !== folder
      ? [{ path: 'folder', message: `${spawn!.id} works in ${given}, but this command was run in ${folder}` }]
      : []
  const git = gitAt(context.host, folder)
  // The commit can usually be read from the files in .git, so evidence that does not need git starts no git process.
  const written = git && (await headOf(context.host, folder))
  const head = written === undefined ? await git?.commit('HEAD') : written
  const terms = termsOf(spawn)
  const lost =
    !git && terms?.git
      ? `${spawn!.id} was spawned in a git repository, but ${folder} is not in one now`
      : undefined
  const { began } = terms ?? {}
  return {
    where: {
      folder,
      ...(git && { git }),
      ...(lost && { lost }),
      ...(began && { began }),
      ...(head && { head }),
    },
    problems,
  }
}

/** Returns why evidence that needs git cannot be checked: git failed, or there is no repository. */
export const gitProblems = ({ folder, git, lost }: EvidenceFolder): Problem[] => {
  const fault = git?.fault()
  const why = lost ?? (fault && `git failed in ${folder}: ${fault}`)
  return why ? [{ path: 'git', message: why }] : []
}

export const folderAtCommit = ({ folder, head }: EvidenceFolder): string =>
  `${folder}${head ? ` at ${head.slice(0, 7)}` : ''}`

/** Makes a path, which may be absolute, relative to the folder. Returns a path outside the folder unchanged. */
export const relativeToFolder = ({ folder }: EvidenceFolder, path: string): string =>
  isBelow(folder, resolvePath(folder, path)) ? resolvePath(folder, path).slice(folder.length + 1) : path
