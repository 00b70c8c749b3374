import type { Stage } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Move, maySkip } from './course.ts'
import * as moves from './sql.ts'

/** Moves an epic, by one step or several, and writes down each of them. */
export const makeMoves = async (
  { db, now, actor, record }: Write,
  { id: epic, stage }: TaskRow,
  steps: readonly Move[],
): Promise<void> => {
  const last = steps.at(-1)!
  await moves.insert(
    db,
    steps.map(({ move, from_stage, to_stage, reason }) => ({
      ...{ epic, move, from_stage, to_stage, reason },
      actor: actor.id,
      at: now,
    })),
  )
  // Past the last stage an epic keeps it: an epic without one has never been told of stages.
  await tasks.patchFields(db, epic, { stage: last.to_stage ?? last.from_stage })
  await tasks.touch(db, epic, now)
  for (const [i, { move, from_stage, to_stage, reason }] of steps.entries())
    await record({
      task: epic,
      before: { stage: i === 0 ? stage : from_stage },
      after: { stage: to_stage, move, ...(reason && { reason }) },
    })
}

export interface Way {
  skips: readonly Stage[]
  target: Stage | null
  reason?: string
  /** Nothing was done where it is. */
  empty: boolean
}

/** From where it is over the stages to skip to the last of them. The reason stands where something is left out. */
export const steps = (current: Stage, { skips, target, reason, empty }: Way): Move[] => {
  const path = [current, ...skips]
  return path.map((from_stage, i) => ({
    move: i > 0 || (empty && maySkip(current)) ? 'skip' : 'advance',
    from_stage,
    to_stage: path[i + 1] ?? target,
    reason: (i > 0 || empty ? reason : undefined) ?? null,
  }))
}
