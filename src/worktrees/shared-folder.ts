import { headOf, isLinkedTop, topOfRepository } from '../git/repository.ts'
import type { Host } from '../host/host.ts'
import type { Protocol } from '../kernel/protocol.ts'
import type { Project } from '../operation/context.ts'

// Common commands load this file, so it must not import code that makes or merges worktrees.

/** Spawns under these protocols may change code, so each gets its own branch and worktree. */
const changingCode: readonly Protocol[] = ['implementation', 'contribution', 'release']

export const mayChangeCode = (protocol: Protocol): boolean => changingCode.includes(protocol)

/** If agents share the folder, a task that declares no files has to run alone. */
export const sharesFolder = async (project: Pick<Project, 'host' | 'root' | 'config'>): Promise<boolean> =>
  project.config.worktrees?.by === 'none' || (await whyNoWorktrees(project)) !== undefined

export const whyNoWorktrees = async ({
  host,
  root,
  config,
}: Pick<Project, 'host' | 'root'> & Partial<Pick<Project, 'config'>>): Promise<string | undefined> => {
  const top = topOfRepository(host, root)
  if (top === undefined) return 'there is no git repository'
  if ((await headOf(host, root)) === null) return 'the repository has no commit yet'
  // CLEO searches the main worktree for the project. So if the project is in a linked worktree, commands in other
  // worktrees would not find it.
  if (isLinkedTop(host, top)) return `${top} is itself a linked worktree or a submodule`
  if (hasSubmodule(host, top) && !config?.worktrees?.setup)
    return 'git checks out no submodules in a worktree; worktrees.setup can fetch them'
  if (top === root) return undefined
  // Ask git whether the repository tracks the folder of the project. A repository in a folder above the project,
  // such as the home folder, might not track it.
  const tracked = `HEAD:${root.slice(top === '/' ? 1 : top.length + 1)}`
  // Loaded only when needed: most projects are at the top of their repository and do not get here.
  const { gitWriterAt } = await import('../git/git-writer.ts')
  const found = await gitWriterAt(host, top).run(['rev-parse', '--verify', '--quiet', tracked])
  return found.ok ? undefined : `the repository of ${top} tracks no file of this project`
}

/** Whether the user has checked out a submodule. The project then probably needs this submodule. */
const hasSubmodule = ({ files }: Host, top: string): boolean =>
  files.sizeSeen(`${top}/.gitmodules`) > 0 &&
  [...(files.read(`${top}/.gitmodules`) ?? '').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].some(
    ([, path]) => files.kind(`${top}/${path}/.git`) !== undefined,
  )
