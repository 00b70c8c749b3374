import { criterionStates, merges, priorities, sizes, stages, statuses, types } from '../../kernel/task.ts'
import type { Columns } from './column.ts'

const makeTaskColumns = () =>
  ({
    seq: { is: 'count', derived: true },
    id: 'task',
    title: { is: 'title', field: true },
    description: { is: 'description', default: '', field: true, initial: '' },
    type: types,
    parent: 'task?',
    root: { is: 'task', derived: true },
    status: statuses,
    reason: 'name?',
    priority: { is: 'count', ranks: priorities, field: true, initial: 'medium' },
    size: { is: sizes, field: true, initial: 'medium' },
    stage: { is: stages(), optional: true, field: true },
    completes: { is: ['auto', 'manual'], default: 'auto', field: true, initial: 'auto' },
    /** The task's key in the outline that it was added from. */
    key: 'name?',
    origin: 'name',
    outcome: { is: ['complete', 'partial'], optional: true },
    epoch: { is: 'count', hidden: true },
    blockers: { is: 'count', derived: true },
    unblocks: { is: 'count', derived: true },
    children: { is: 'count', derived: true },
    /** The number of the attempt that works on the task; 0 if none does. */
    attempt_out: { is: 'count', derived: true },
    created_at: { is: 'time', as: 'createdAt' },
    updated_at: { is: 'time', as: 'updatedAt' },
    completed_at: { is: 'time?', as: 'completedAt' },
    /**
     * What happened to the work of a task. `pending`: the task is done, but its work is still on its own branch.
     * `merged`: the work is in the integration branch. `refused`: the work was sent back, and the task is open again.
     */
    merge: { is: merges, default: 'none' },
    /** When the work landed on the user's branch. */
    landed_at: { is: 'time?', as: 'landedAt' },
  }) as const satisfies Columns
let taskColumnsMade: ReturnType<typeof makeTaskColumns> | undefined

/** Made on first use, because most reads do not need them. */
export const taskColumns = () => (taskColumnsMade ??= makeTaskColumns())

/** In an export, criteria are part of their task. */
export const criteria = {
  n: 'count',
  text: 'name',
  source: ['given', 'description'],
  state: criterionStates,
} as const satisfies Columns

/**
 * In an export, a note on a task is part of that task, and names the session in which it was written. Any other note is
 * part of its session.
 */
export const notes = {
  seq: 'count',
  at: 'time',
  actor: { is: 'name', as: 'by' },
  text: 'note',
  session: 'name?',
} as const satisfies Columns
