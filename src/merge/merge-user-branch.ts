import { ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { BringCode } from '../worktrees/codes.ts'
import { type Integration, refOf } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'
import { beginLanding, finishLanding, whileLanding } from './landing.ts'
import { bringTogether, checkLanding, commitOf } from './landing-plan.ts'

/**
 * Merges the user's branch into the integration branch, once the checks have passed on the merged files. Returns
 * `moved` if another process has moved the integration branch meanwhile.
 */
export const mergeUserBranch = async (
  context: Context,
  integration: Integration,
  onto: string,
): Promise<Result<Integration | 'moved', BringCode>> => {
  const { git, epic, branch, tip: was } = integration
  const theirs = (await git.commit(refOf(onto)))!
  const together = await bringTogether(integration, { ours: was, theirs, onto }, false)
  if (!together.ok) return together
  if (together.value.kind === 'contained') return ok(integration)
  const tip = await commitOf(integration, together.value, onto, `Merge ${onto} into ${branch}\n`)
  if (typeof tip !== 'string') return tip
  const checked = await checkLanding(context, integration, tip, onto)
  if (!checked.ok) return checked
  return whileLanding(context, async () => {
    const plan = { was, tip, tasks: [], tags: [] }
    if (!(await beginLanding(context, epic, plan))) return ok('moved' as const)
    await finishLanding(context, epic, plan)
    const row = await worktrees.integration(context.store, epic)
    return ok(row?.tip === tip ? { ...row, git } : ('moved' as const))
  })
}
