import { optionsOf } from '../claims/sql/spawns.ts'
import { gitAt } from '../host/git.ts'
import { historyAt } from '../host/git-history.ts'
import { isBelow } from '../kernel/path.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { Observed } from './rules/observed.ts'
import { ownFolder, type Sight } from './sight.ts'

/** What is different in the agent's own work folder from what it was when the agent was sent. */
export const folderChanges = async (sight: Sight): Promise<Observed['changed']> => {
  const { context, spawn } = sight
  const folder = ownFolder(sight)
  const git = folder && gitAt(context.host, folder)
  if (!git) return undefined
  const history = historyAt(context.host, folder)
  const began = await history.headAt(spawn.at)
  const { unstaged } = await import('../host/uncommitted.ts')
  const uncommitted = await unstaged(git, folder)
  if (began === undefined || uncommitted === undefined) return undefined
  const paths = new Set([...(await history.differing(began)), ...uncommitted])
  const { outputRoots: roots, manifest } = workFoldersIn(context, folder, optionsOf(spawn))
  const isOutput = (path: string) => path === manifest || roots.some((root) => isBelow(root, path))
  return [...paths].sort().map((path) => ({ path, output: isOutput(`${folder}/${path}`) }))
}
