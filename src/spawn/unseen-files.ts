import { generatedPart } from '../git/generated-files.ts'
import { indexOf } from '../git/git-folder.ts'
import { topOfRepository } from '../git/repository.ts'
import { type RepositoryState, repositoryState } from '../git/repository-state.ts'
import { isBelow } from '../kernel/path.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'

/**
 * If git's index is larger than this, the checkout is not searched. Such an index has more than about 10,000 files,
 * and comparing them all would delay the spawn.
 */
const mostIndexBytes = 1 << 20
const mostNames = 5

/**
 * Warns about files of the user's checkout that an agent in a new worktree does not see: files that are not in git,
 * and changes that are not committed. Leaves out generated files and files of CLEO.
 */
export const unseenFiles = async (context: Context, epic: string, task: string): Promise<string[]> => {
  const { host, root, folder } = context
  const top = topOfRepository(host, root)
  const index = top && (await indexOf(host, top))
  if (!top || !index || host.files.sizeSeen(index) > mostIndexBytes) return []
  const { outputRoots, manifest } = workFoldersIn(context, root)
  const own = [folder, ...outputRoots, manifest]
  const isThere = (name: string): boolean => host.files.kind(`${top}/${name}`) === 'file'
  const isOutside = (path: string): boolean => {
    const full = `${top}/${path}`
    const isOwn = own.some((each) => full === each || isBelow(each, full))
    return isOwn || !isBelow(root, full) || generatedPart(path, isThere) !== undefined
  }
  const state = await repositoryState(host, top, { maySkip: true, isOutside })
  if (!state) return []
  const untracked = state.open.filter(({ how }) => how === 'untracked').map(({ path }) => path)
  const changed = state.open.filter(({ how }) => how !== 'untracked' && how !== 'a repository')
  const pronoun = (names: readonly string[]): string => (names.length === 1 ? 'it' : 'them')
  const places = [...new Set(untracked.map(withoutTracked(state)))]
  const paths = changed.map(({ path }) => path)
  return [
    ...(places.length > 0
      ? [`not in git, so the agent does not see ${pronoun(places)}: ${listed(places)}`]
      : []),
    ...(paths.length > 0
      ? [`not committed, so the agent sees ${pronoun(paths)} without your changes: ${listed(paths)}`]
      : []),
    ...(places.length + paths.length > 0
      ? [`if the agent needs them, commit, then: cleo land ${epic} --update && cleo respawn ${task} --ref`]
      : []),
  ]
}

/** Replaces an untracked path by the outermost folder around it that has no tracked file. */
const withoutTracked = ({ files }: RepositoryState): ((path: string) => string) => {
  const tracked = new Set<string>()
  for (const [path, file] of files)
    if (file.tracked)
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const folder = path.slice(0, end)
        if (tracked.has(folder)) break
        tracked.add(folder)
      }
  return (path) => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      if (!tracked.has(path.slice(0, end))) return path.slice(0, end + 1)
    return path
  }
}

const listed = (paths: readonly string[]): string => {
  const more = paths.length - mostNames
  return `${paths.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
