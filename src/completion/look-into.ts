import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import type { Context } from '../operation/context.ts'
import { permitFor } from './permit-for.ts'
import type { Permission } from './under-contract.ts'

/** Takes in what was handed in meanwhile, then judges. */
export const lookInto = async (context: Context, id: string): Promise<Permission> => {
  const { ingest } = await import('../manifest/ingest.ts')
  const { standingOf } = await import('../evidence/standing.ts')
  const spawn = await spawns.latest(context.store, id)
  const worktree = optionsOf(spawn)?.worktree
  const { warnings } = spawn ? await ingest(context, worktree ? [worktree] : []) : { warnings: [] }
  const judged = permitFor(await standingOf(context, id))
  if ('ok' in judged) return { may: false, failure: judged }
  const open = judged.judged.open.map(({ path, message }) => `left open: ${path} (${message})`)
  return { may: true, permit: judged.permit, warnings: [...warnings, ...open] }
}
