import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { headOf, topOfRepository } from '../git/repository.ts'
import type { Host } from '../host/host.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { ok, type Result } from '../kernel/result.ts'
import type { Context, Project } from '../operation/context.ts'
import { outerFolder } from '../project/outer-backups.ts'
import { readUserConfig, userConfigPath } from '../project/read-user-config.ts'
import type { IntegrationCode } from './codes.ts'
import { findIntegration, type Integration, integrationOf } from './integration.ts'
import { mayChangeCode, whyNoWorktrees } from './shared-folder.ts'

export type WorkPlace =
  | { kind: 'checkout'; warnings: string[] }
  | { kind: 'worktree'; integration: Integration; isDetached: boolean }

/**
 * An agent that may change code gets a worktree with a branch. Any other agent works in the checkout or, if the
 * checkout lacks merged work of the epic, in a worktree without a branch.
 */
export const workPlaceFor = async (
  context: Context,
  { epic, protocol, options }: { epic: string; protocol: Protocol; options: SpawnOptions },
): Promise<Result<WorkPlace, IntegrationCode>> => {
  const changes = mayChangeCode(protocol)
  // If the caller names a folder, an agent that changes no code works there, without a new worktree.
  if (options.here || (options.worktree !== undefined && !changes))
    return ok({ kind: 'checkout', warnings: [] })
  if (context.config.worktrees?.by === 'none') return ok({ kind: 'checkout', warnings: [] })
  const why = await whyNoWorktrees(context)
  if (why) return ok({ kind: 'checkout', warnings: changes ? [sharedFolder(why)] : [] })
  const found = await (changes ? integrationOf : findIntegration)(context, epic)
  if (!found.ok) return found
  const integration = found.value
  if (!integration || (!changes && (await containsTip(context, integration))))
    return ok({ kind: 'checkout', warnings: [] })
  return ok({ kind: 'worktree', integration, isDetached: !changes })
}

const sharedFolder = (why: string): string => `${why}, so the agent shares the project's folder`

/** Whether the user's checkout contains everything that was merged in the epic. */
const containsTip = async ({ host, root }: Context, { git, tip }: Integration): Promise<boolean> => {
  const head = await headOf(host, root)
  return head === tip || git.isAncestor(tip, head ?? 'HEAD')
}

/**
 * Returns the folder for the worktrees of a project. Usually it is outside the checkout, so that no tool of the project
 * finds the worktrees. Without a project id or a state folder, it is in `.cleo/`.
 */
export const worktreesFolder = ({ host, store, folder, written }: Context): string => {
  const id = store.project ?? written.project
  const chosen = id && chosenFolder(host)
  if (chosen) return `${chosen}/${id}`
  return `${(id ? outerFolder(host, id) : undefined) ?? folder}/worktrees`
}

/** Returns the folder that the user chose for the worktrees of all projects. A project cannot choose this folder. */
export const chosenFolder = (host: Host): string | undefined => {
  const path = userConfigPath(host)
  const text = host.files.read(path)
  return text?.includes('"worktrees"') ? readUserConfig(path, text).worktrees?.path : undefined
}

export const folderOfSpawn = (context: Context, spawn: string): string =>
  `${worktreesFolder(context)}/${spawn}`

export const lockOfSpawn = (context: Context, spawn: string): string => {
  const folder = worktreesFolder(context)
  context.host.files.makeFolder(folder, 0o700)
  return `${folder}/${spawn}.lock`
}

/** The project has the same relative path in every worktree. */
export const projectFolderIn = ({ host, root }: Pick<Project, 'host' | 'root'>, worktree: string): string =>
  worktree + root.slice((topOfRepository(host, root) ?? root).length)
