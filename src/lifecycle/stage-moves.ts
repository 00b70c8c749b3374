import * as v from 'valibot'
import { type Failure, type Fault, fail, failAll, ok, type Result } from '../kernel/result.ts'
import { type Stage, stages } from '../kernel/task.ts'
import type { Context, Write } from '../operation/context.ts'
import { listIds } from '../print/id-list.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { completeCommand, type Epic, lifecycleCodes, readLifecycle, refuseClosed } from './epic.ts'
import { maxLoops, maySkip, routeTo, type StageMove, stageAfter, stageOrder } from './progress.ts'
import * as moves from './sql.ts'
import type { ReadStageWork, StageWork } from './stage-tasks.ts'

export const advanceCodes = [
  ...lifecycleCodes,
  'task.status',
  'stage.open',
  'stage.empty',
  'stage.needs',
  'stage.loops',
  'input.invalid',
] as const
type AdvanceCode = (typeof advanceCodes)[number]

export const advancedShape = () =>
  v.object({
    id: v.string(),
    stage: v.picklist(stages()),
    move: v.optional(v.picklist(['advance', 'back'])),
    skipped: v.optional(v.array(v.picklist(stages()))),
    /** Set if the epic has passed its last stage. */
    over: v.optional(v.literal(true)),
    noChange: v.optional(v.literal(true)),
    then: v.optional(v.string()),
  })

export interface AdvanceInput {
  id: string
  to?: Stage
  reason?: string
}
export type AdvanceResult = Result<v.InferOutput<ReturnType<typeof advancedShape>>, AdvanceCode>

/** If `to` is not set, the epic moves to the next stage, or past the last one. */
export const advance = async (
  tx: Write,
  { config }: Context,
  readStageWork: ReadStageWork,
  { id, to, reason }: AdvanceInput,
): Promise<AdvanceResult> => {
  const epic = await readLifecycle(tx.db, config, id)
  if (!epic.ok) return epic
  const { row, progress } = epic
  const { current, over } = progress
  const closed = refuseClosed(row, 'advance')
  if (closed) return closed
  if (over && !to) return ok({ id, stage: current, over: true as const, noChange: true as const })
  const target = to ?? stageAfter(current) ?? null
  const route =
    target === null ? { kind: 'forward' as const, skips: [], missing: [] } : routeTo(progress, target)
  if (route.kind === 'same') return ok({ id, stage: current, noChange: true as const })
  if (route.kind === 'back') return moveBack(tx, epic, { to: target!, reason })
  const work = await readStageWork(tx.db, id, current)
  const plan = planForward(route, target, reason)
  const faults = whyNotForward(epic, work, plan)
  if (faults.length > 0) return failAll(faults as [Fault<AdvanceCode>, ...Fault<AdvanceCode>[]])
  await recordMoves(tx, row, stageMovesFor(current, plan, work.done === 0))
  const then = target === null ? await completeCommand(tx.db, id) : undefined
  const warnings: string[] = []
  for (const stage of plan.skips) {
    const left = (await readStageWork(tx.db, id, stage)).open.map((task) => task.id)
    if (left.length > 0) warnings.push(`still open at ${stage}: ${listIds(left)}`)
  }
  return ok(
    {
      id,
      stage: target ?? current,
      move: 'advance' as const,
      ...(plan.skips.length > 0 && { skipped: plan.skips }),
      ...(target === null && { over: true as const }),
      ...(then && { then }),
    },
    warnings.length > 0 ? { warnings } : {},
  )
}

/**
 * Plans a move forward. `skips` and `missing` are the two lists of a `Route`. With a reason, the stages of both lists
 * are skipped, even those that must be done first. Without a reason, both lists are returned as they are.
 * In that case, `whyNotForward` refuses the move unless both lists are empty.
 */
const planForward = (
  { skips, missing }: { skips: Stage[]; missing: Stage[] },
  target: Stage | null,
  reason: string | undefined,
): ForwardPlan =>
  reason === undefined
    ? { skips, missing, target }
    : {
        skips: stageOrder.filter((stage) => skips.includes(stage) || missing.includes(stage)),
        missing: [],
        target,
        reason,
      }

interface ForwardPlan {
  skips: Stage[]
  missing: Stage[]
  target: Stage | null
  reason?: string
}

const whyNotForward = (
  { row: { id }, progress: { current } }: Epic,
  { open, done }: StageWork,
  { skips, missing, target, reason }: ForwardPlan,
): Fault<AdvanceCode>[] => {
  const faults: Fault<AdvanceCode>[] = []
  const add = (path: string, failure: Failure<AdvanceCode>) => faults.push({ path, failure })
  const command = `cleo lifecycle advance ${id}${skips.length + missing.length > 0 ? ` --to ${target}` : ''}`
  if (open.length > 0)
    add('id', fail('stage.open', { epic: id, stage: current, open: open.map((task) => task.id) }))
  if (missing.length > 0) add('to', fail('stage.needs', { epic: id, to: target!, missing }))
  if (open.length === 0 && done === 0 && !reason)
    add('reason', fail('stage.empty', { epic: id, stage: current, skippable: maySkip(current), command }))
  if (skips.length > 0 && missing.length === 0 && !reason) {
    const message = `is missing: the move skips ${skips.join(', ')}`
    const fix = `${command} --reason "…"`
    add('reason', fail('input.invalid', { problems: [{ path: 'reason', message, fix }] }))
  }
  return faults
}

/**
 * Returns one move for the current stage, and one for each stage to skip. The moves that skip a stage record the
 * reason. The move for the current stage records the reason only if that stage has no finished work.
 */
const stageMovesFor = (
  current: Stage,
  { skips, target, reason }: ForwardPlan,
  isEmpty: boolean,
): StageMove[] => {
  const path = [current, ...skips]
  return path.map((from_stage, i) => ({
    move: i > 0 || (isEmpty && maySkip(current)) ? 'skip' : 'advance',
    from_stage,
    to_stage: path[i + 1] ?? target,
    reason: (i > 0 || isEmpty ? reason : undefined) ?? null,
  }))
}

/** `allowed` means that a person has agreed to another testing loop. */
export const moveBack = async (
  tx: Write,
  { row, progress: { current, over, loops } }: Epic,
  { to, reason, allowed }: { to: Stage; reason?: string; allowed?: boolean },
): Promise<AdvanceResult> => {
  const { id } = row
  if (!reason) {
    const fix = `cleo lifecycle advance ${id} --to ${to} --reason "…"`
    const message = 'is missing: say why the epic goes back'
    return fail('input.invalid', { problems: [{ path: 'reason', message, fix }] })
  }
  if (!allowed && current === 'testing' && !over && loops >= maxLoops)
    return fail('stage.loops', { epic: id, times: loops })
  await recordMoves(tx, row, [{ move: 'back', from_stage: current, to_stage: to, reason }])
  return ok({ id, stage: to, move: 'back' as const })
}

export const recordMoves = async (
  { db, now, actor, record }: Write,
  { id: epic, stage }: TaskRow,
  made: readonly StageMove[],
): Promise<void> => {
  const last = made.at(-1)!
  await moves.insert(
    db,
    made.map(({ move, from_stage, to_stage, reason }) => ({
      ...{ epic, move, from_stage, to_stage, reason },
      actor: actor.id,
      at: now,
    })),
  )
  // After its last stage, an epic keeps that stage. Without a stage, it would look as if its lifecycle was never
  // started.
  await tasks.patchFields(db, epic, { stage: last.to_stage ?? last.from_stage })
  await tasks.touch(db, epic, now)
  for (const [i, { move, from_stage, to_stage, reason }] of made.entries())
    await record({
      task: epic,
      before: { stage: i === 0 ? stage : from_stage },
      after: { stage: to_stage, move, ...(reason && { reason }) },
    })
}
