import * as v from 'valibot'
import { type Failure, type Fault, fail, failAll, ok, type Result } from '../kernel/result.ts'
import { type Stage, stages } from '../kernel/task.ts'
import type { Context, Write } from '../operation/context.ts'
import { after, maySkip, mostLoops, routeTo } from './course.ts'
import { type Epic, ended, ending, epicCodes, readEpic } from './epic.ts'
import { makeMoves, steps } from './move.ts'
import type { StageWork, WorkAt } from './stage-tasks.ts'

export const moveCodes = [
  ...epicCodes,
  'task.status',
  'stage.open',
  'stage.empty',
  'stage.needs',
  'stage.loops',
  'input.invalid',
] as const
type Code = (typeof moveCodes)[number]

export const moved = () =>
  v.object({
    id: v.string(),
    stage: v.picklist(stages),
    move: v.optional(v.picklist(['advance', 'back'])),
    skipped: v.optional(v.array(v.picklist(stages))),
    over: v.optional(v.literal(true)),
    noChange: v.optional(v.literal(true)),
    then: v.optional(v.string()),
  })

export interface Asked {
  id: string
  to?: Stage
  reason?: string
}
export type Moved = Result<v.InferOutput<ReturnType<typeof moved>>, Code>

/** Takes an epic one stage on, or to the one that was asked for. */
export const go = async (
  tx: Write,
  { config }: Context,
  workAt: WorkAt,
  { id, to, reason }: Asked,
): Promise<Moved> => {
  const epic = await readEpic(tx.db, config, id)
  if (!epic.ok) return epic
  const { row, course } = epic
  const { current, over } = course
  const closed = ended(row, 'advance')
  if (closed) return closed
  if (over && !to) return ok({ id, stage: current, over: true as const, noChange: true as const })
  const target = to ?? after(current) ?? null
  const route =
    target === null ? { kind: 'forward' as const, skips: [], missing: [] } : routeTo(course, target)
  if (route.kind === 'same') return ok({ id, stage: current, noChange: true as const })
  if (route.kind === 'back') return goBack(tx, epic, { to: target!, reason })
  const work = await workAt(tx.db, id, current)
  const faults = notYet(epic, work, { ...route, target, reason })
  if (faults.length > 0) return failAll(faults as [Fault<Code>, ...Fault<Code>[]])
  await makeMoves(tx, row, steps(current, { ...route, target, reason, empty: work.done === 0 }))
  const then = target === null ? await ending(tx.db, id) : undefined
  return ok({
    id,
    stage: target ?? current,
    move: 'advance' as const,
    ...(route.skips.length > 0 && { skipped: route.skips }),
    ...(target === null && { over: true as const }),
    ...(then && { then }),
  })
}

interface Forward {
  skips: Stage[]
  missing: Stage[]
  target: Stage | null
  reason?: string
}

/** Everything that keeps an epic where it is. */
const notYet = (
  { row: { id }, course: { current } }: Epic,
  { open, done }: StageWork,
  { skips, missing, target, reason }: Forward,
): Fault<Code>[] => {
  const faults: Fault<Code>[] = []
  const add = (path: string, failure: Failure<Code>) => faults.push({ path, failure })
  const command = `cleo lifecycle advance ${id}${skips.length > 0 ? ` --to ${target}` : ''}`
  if (open.length > 0)
    add('id', fail('stage.open', { epic: id, stage: current, open: open.map((task) => task.id) }))
  if (missing.length > 0) add('to', fail('stage.needs', { epic: id, to: target!, missing }))
  if (open.length === 0 && done === 0 && !reason)
    add('reason', fail('stage.empty', { epic: id, stage: current, skippable: maySkip(current), command }))
  if (skips.length > 0 && !reason) {
    const message = `${skips.join(', ')} would be skipped; say why`
    add(
      'reason',
      fail('input.invalid', { problems: [{ path: 'reason', message, fix: `${command} --reason "…"` }] }),
    )
  }
  return faults
}

/** Back to an earlier stage; `allowed` where a person has said yes to it. */
export const goBack = async (
  tx: Write,
  { row, course: { current, over, loops } }: Epic,
  { to, reason, allowed }: { to: Stage; reason?: string; allowed?: boolean },
): Promise<Moved> => {
  const { id } = row
  if (!reason) {
    const fix = `cleo lifecycle advance ${id} --to ${to} --reason "…"`
    return fail('input.invalid', { problems: [{ path: 'reason', message: 'is missing: why back?', fix }] })
  }
  if (!allowed && current === 'testing' && !over && loops >= mostLoops)
    return fail('stage.loops', { epic: id, times: loops })
  await makeMoves(tx, row, [{ move: 'back', from_stage: current, to_stage: to, reason }])
  return ok({ id, stage: to, move: 'back' as const })
}
