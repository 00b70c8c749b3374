import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { type Git, gitAt } from '../host/git.ts'
import { headOf } from '../host/repository.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Problem } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { termsOf } from './pins.ts'

/** Where evidence is taken. */
export interface Place {
  folder: string
  /** None where the folder is in no repository. */
  git?: Git
  /** Why there is none, where there was one when the task was handed out. */
  lost?: string
  /** The commit that was checked out when the task was handed out first. */
  began?: string
  /** The commit that is checked out; none before the first one. */
  head?: string
}

/** The caller's own worktree; where a spawn was sent to one, it has to be that one. */
export const placeFor = async (
  context: Context,
  spawn: SpawnRow | undefined,
): Promise<{ place: Place; problems: Problem[] }> => {
  const folder = await workFolder(context)
  const given = optionsOf(spawn)?.worktree
  const problems =
    given !== undefined && given !== folder
      ? [{ path: 'folder', message: `${spawn!.id} works in ${given}; this was asked for in ${folder}` }]
      : []
  const git = gitAt(context.host, folder)
  // Most of the time the files say it, and a piece of evidence that needs no git starts none.
  const written = git && (await headOf(context.host, folder))
  const head = written === undefined ? await git?.commit('HEAD') : written
  const terms = termsOf(spawn)
  const lost =
    !git && terms?.git ? `${spawn!.id} was sent to a git repository, and ${folder} is in none now` : undefined
  const { began } = terms ?? {}
  return {
    place: {
      folder,
      ...(git && { git }),
      ...(lost && { lost }),
      ...(began && { began }),
      ...(head && { head }),
    },
    problems,
  }
}

/** Why evidence that needs git cannot be looked at: a git that does not answer is not the same as none. */
export const silent = ({ folder, git, lost }: Place): Problem[] => {
  const fault = git?.fault()
  const why = lost ?? (fault && `git does not answer in ${folder}: ${fault}`)
  return why ? [{ path: 'git', message: why }] : []
}

export const placed = ({ folder, head }: Place): string => `${folder}${head ? ` at ${head.slice(0, 7)}` : ''}`

/** A path as it is below the folder: it may have been given whole, or from where the caller stands in it. */
export const below = ({ folder }: Place, path: string): string =>
  isBelow(folder, resolvePath(folder, path)) ? resolvePath(folder, path).slice(folder.length + 1) : path
