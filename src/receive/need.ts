import * as returns from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { type Failure, fail, type Ok, ok } from '../kernel/result.ts'
import type { Need } from '../kernel/return-line.ts'
import { closed } from '../kernel/task.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Answer } from './answer.ts'
import { giveBack } from './give-back.ts'

/** A subagent that lacks a skill has done nothing wrong: the task goes back, and the next spawn carries what it asked for. */
export const takeNeed = async (
  context: Context,
  { id, status }: TaskRow,
  spawn: SpawnRow,
  need: Need,
): Promise<Ok<Answer> | Failure<'task.status'>> => {
  if (closed(status)) return fail('task.status', { id, status, verb: 'receive' })
  const kept = await context.write(async (tx) => {
    await giveBack(tx, id, spawn.id)
    const receipt: returns.Receipt = { spawn: spawn.id, returned: 'need', need }
    await returns.add(tx.db, receipt, { task: id, at: tx.now, actor: tx.actor.id })
    await tx.record({ task: id, after: receipt })
    return ok(undefined)
  })
  const missing = await unknown(context, need.skill)
  const then = missing.length > 0 ? `cleo skills find ${need.skill}` : `cleo orchestrate respawn ${id} --ref`
  return ok(
    { taskId: id, outcome: 'needs' as const, skill: need.skill, then },
    { warnings: [...missing, ...(kept.warnings ?? [])] },
  )
}

const unknown = async (context: Context, name: string): Promise<string[]> => {
  const { openCatalogue } = await import('../skills/catalogue.ts')
  const catalogue = await openCatalogue(context)
  return catalogue.find(name)
    ? []
    : [`${catalogue.notFound(name).message} A respawn goes without it, or names others with --skills.`]
}
