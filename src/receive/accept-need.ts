import * as returns from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { type Ok, ok } from '../kernel/result.ts'
import type { Need } from '../kernel/return-line.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { releaseTask } from './accept-result.ts'
import type { ReceiveAnswer } from './receive-answer.ts'

/** Accepts a subagent's request for a skill and releases its task. The next spawn includes the skill. */
export const acceptNeed = async (
  context: Context,
  { id }: TaskRow,
  spawn: SpawnRow,
  need: Need,
): Promise<Ok<ReceiveAnswer>> => {
  const recorded = await context.write(async (tx) => {
    await releaseTask(tx, id, spawn.id)
    const receipt: returns.Receipt = { spawn: spawn.id, returned: 'need', need }
    await returns.add(tx.db, receipt, { task: id, at: tx.now, actor: tx.actor.id })
    await tx.record({ task: id, after: receipt })
    return ok(undefined)
  })
  const missing = await missingSkill(context, need.skill)
  const then = missing.length > 0 ? `cleo skills find ${need.skill}` : `cleo respawn ${id} --ref`
  return ok(
    { taskId: id, outcome: 'needs' as const, skill: need.skill, then },
    { warnings: [...missing, ...(recorded.warnings ?? [])] },
  )
}

const missingSkill = async (context: Context, name: string): Promise<string[]> => {
  const { openCatalogue } = await import('../skills/skill-catalogue.ts')
  const catalogue = await openCatalogue(context)
  return catalogue.find(name)
    ? []
    : [
        `${catalogue.notFound(name).message} The next spawn will not include it; choose other skills with --skills.`,
      ]
}
