import * as v from 'valibot'
import { criterionStates, priorities, sizes, stages, statuses, types } from '../kernel/task.ts'

const gateStates = ['unset', 'passed', 'failed', 'stale', 'na'] as const

/** What comes out. Functions, because a command has no use for the schema of its answer: help and servers do. */
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

/** A task with everything known about it; what is empty is left out. */
export const taskShape = () =>
  v.object({
    ...taskLine().entries,
    description: v.optional(v.string()),
    type: v.picklist(types),
    parent: v.optional(v.string()),
    reason: v.optional(v.string()),
    labels: v.optional(v.array(v.string())),
    depends: v.optional(v.array(v.string())),
    files: v.optional(v.array(v.string())),
    acceptance: v.optional(
      v.array(v.object({ n: v.number(), text: v.string(), state: v.picklist(criterionStates) })),
    ),
    stage: v.optional(v.picklist(stages)),
    /** Of a task that was spawned or has evidence: as recorded, not looked at again. */
    gates: v.optional(
      v.record(v.string(), v.object({ state: v.picklist(gateStates), evidence: v.array(v.string()) })),
    ),
    completes: v.optional(v.picklist(['manual'])),
    claim: v.optional(claimShape()),
    notes: v.optional(v.array(v.object({ at: v.string(), by: v.string(), text: v.string() }))),
    origin: v.string(),
    createdAt: v.string(),
    updatedAt: v.string(),
    completedAt: v.optional(v.string()),
    outcome: v.optional(v.picklist(['complete', 'partial'])),
  })
export type Task = v.InferOutput<ReturnType<typeof taskShape>>
