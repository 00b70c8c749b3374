import * as v from 'valibot'
import { criterionStates, priorities, sizes, statuses } from '../kernel/task.ts'
import type { ShownOf } from '../store/columns/column.ts'
import { shapeOf } from '../store/columns/column-shape.ts'
import { tasks } from '../store/columns/tasks.ts'

const gateStates = ['unset', 'passed', 'failed', 'stale', 'na'] as const

/** Output schemas are functions, so that only help and servers build them. Commands do not check their own output. */
export const taskLine = () =>
  v.object({
    id: v.string(),
    title: v.string(),
    status: v.picklist(statuses),
    priority: v.picklist(priorities),
    size: v.picklist(sizes),
  })

export const claimShape = () => v.object({ owner: v.string(), epoch: v.number(), expires: v.string() })
export type Claim = v.InferOutput<ReturnType<typeof claimShape>>

const withTask = () =>
  v.object({
    labels: v.optional(v.array(v.string())),
    depends: v.optional(v.array(v.string())),
    files: v.optional(v.array(v.string())),
    acceptance: v.optional(
      v.array(v.object({ n: v.number(), text: v.string(), state: v.picklist(criterionStates) })),
    ),
    /** The gates as recorded, not checked again. Present if the task was spawned or has evidence. */
    gates: v.optional(
      v.record(v.string(), v.object({ state: v.picklist(gateStates), evidence: v.array(v.string()) })),
    ),
    claim: v.optional(claimShape()),
    notes: v.optional(v.array(v.object({ at: v.string(), by: v.string(), text: v.string() }))),
  })

/** A task with everything known about it; empty fields are left out. */
export type Task = ShownOf<typeof tasks> & v.InferOutput<ReturnType<typeof withTask>>
export const taskShape = () =>
  v.object({
    ...taskLine().entries,
    ...shapeOf(tasks),
    ...withTask().entries,
  }) as unknown as v.GenericSchema<Task>
