import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { adoptWorktree } from '../worktrees/adopt.ts'
import type { IntegrationCode } from '../worktrees/codes.ts'
import { integrationOf } from '../worktrees/integration.ts'
import { optionsInWorktree } from '../worktrees/make.ts'
import { projectFolderIn } from '../worktrees/place.ts'
import { removeWorktree } from '../worktrees/remove.ts'
import * as worktrees from '../worktrees/sql.ts'

type AdoptCode = IntegrationCode | 'task.not_found' | 'spawn.not_found' | 'worktree.invalid'

/**
 * Lets a spawn work in the current folder. The folder must be in a git worktree that the agent's client made. If the
 * spawn already has another worktree, first saves the work of that worktree and removes the worktree. Returns the
 * project's folder in the adopted worktree.
 */
export const adoptFolder = async (context: Context, id: string): Promise<Result<string, AdoptCode>> => {
  const { store, actor, host } = context
  const task = await tasks.find(store, id)
  if (!task) return fail('task.not_found', { id })
  const spawn = await spawns.latest(store, id)
  if (spawn?.id !== actor.id) return fail('spawn.not_found', { id: actor.id })
  const integration = await integrationOf(context, task.root)
  if (!integration.ok) return integration
  const own = await worktrees.worktree(store, spawn.id)
  const isInside = own && (host.cwd === own.folder || host.cwd.startsWith(`${own.folder}/`))
  if (own && own.state !== 'gone' && isInside) return ok(projectFolderIn(context, own.folder))
  if (context.dryRun) return ok(host.cwd)
  if (own && own.state !== 'gone') await removeWorktree(context, integration.value.git, own)
  const adopted = await adoptWorktree(context, {
    spawn: spawn.id,
    integration: integration.value,
    folder: host.cwd,
  })
  if (!adopted.ok) return adopted
  const options = optionsInWorktree(context, optionsOf(spawn)!, integration.value, adopted.value)
  const folder = options.worktree!
  await context.write(async (tx) => {
    await spawns.setOptions(tx.db, spawn.id, options)
    await tx.record({ task: id, after: { spawn: spawn.id, folder } })
    return ok(undefined)
  })
  return ok(folder)
}
