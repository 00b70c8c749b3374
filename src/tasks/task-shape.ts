import * as v from 'valibot'
import { consensusLineShape } from '../kernel/consensus-line.ts'
import { criterionStates, priorities, sizes, statuses } from '../kernel/task.ts'
import { type Columns, columnsOf, type FullColumn, type ShownOf } from '../store/columns/column.ts'
import { taskColumns } from '../store/columns/tasks.ts'

const gateStates = ['unset', 'passed', 'failed', 'stale', 'na'] as const

/**
 * Output schemas are functions, so that they are built only for help and servers. Commands do not check their own
 * output.
 */
export const taskLine = () =>
  v.object({
    id: v.string(),
    title: v.string(),
    status: v.picklist(statuses),
    /** Set if the task was done in part. */
    outcome: v.optional(v.literal('partial')),
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
    /**
     * The recorded state of the gates, which is not checked again here. Present if the task was spawned or has
     * evidence.
     */
    gates: v.optional(
      v.record(v.string(), v.object({ state: v.picklist(gateStates), evidence: v.array(v.string()) })),
    ),
    /** The votes that this task needs or takes part in. */
    consensus: v.optional(v.array(consensusLineShape())),
    /** The manifest entries that are linked to the task. */
    entries: v.optional(v.array(v.object({ id: v.string(), status: v.string() }))),
    /** Only for a done task: the findings and the output file of its last entry. */
    findings: v.optional(v.array(v.string())),
    output: v.optional(v.string()),
    /** The first 20 tasks directly below the task. */
    children: v.optional(
      v.array(
        v.object({
          id: v.string(),
          title: v.string(),
          status: v.picklist(statuses),
          outcome: v.optional(v.literal('partial')),
          /** The spawn that the child belongs to, while the child is out. */
          by: v.optional(v.string()),
          /** The open tasks that the child itself waits on. Empty if only an ancestor of the child waits. */
          waitsOn: v.optional(v.array(v.string())),
        }),
      ),
    ),
    moreChildren: v.optional(v.number()),
    /** Only for the root of a tree: the number of tasks below it, by status. */
    progress: v.optional(v.record(v.string(), v.number())),
    claim: v.optional(claimShape()),
    /** The spawn that works on the task, while the task is out. */
    spawn: v.optional(
      v.object({
        id: v.string(),
        /** The folder in which the agent works. */
        folder: v.string(),
        branch: v.optional(v.string()),
        /** The number of commits on the spawn's branch that were not on the integration branch when the spawn began. */
        commits: v.optional(v.number()),
        /** When the task was spawned. */
        since: v.string(),
        /** Set if the agent has not started yet. */
        unstarted: v.optional(v.literal(true)),
        /** True if the spawn's return was refused. */
        refused: v.optional(v.literal(true)),
        quietSince: v.optional(v.string()),
        /** How many minutes the spawn has been quiet. */
        quietFor: v.optional(v.number()),
        /** The tokens that the client reported for the spawn's agents. */
        tokens: v.optional(v.number()),
        /** The requirements that were missing when a hook let the agent stop. */
        released: v.optional(v.string()),
      }),
    ),
    notes: v.optional(v.array(v.object({ at: v.string(), by: v.string(), text: v.string() }))),
  })

/** A task with everything known about it; empty fields are left out. */
export type Task = ShownOf<ReturnType<typeof taskColumns>> & v.InferOutput<ReturnType<typeof withTask>>
export const taskShape = () =>
  v.object({
    ...taskLine().entries,
    ...shapeOf(taskColumns()),
    ...withTask().entries,
  }) as unknown as v.GenericSchema<Task>

/** This is a function, because only help and servers need the schema. */
const shapeOf = (columns: Columns): v.ObjectEntries =>
  Object.fromEntries(
    columnsOf(columns)
      .filter(({ derived, hidden }) => !derived && !hidden)
      .map((column) => [column.as, entryOf(column)]),
  )

const entryOf = (column: FullColumn): v.GenericSchema =>
  column.optional || column.default !== undefined ? v.optional(printed(column)) : printed(column)

const printed = ({ kind, words, ranks, default: omitted }: FullColumn): v.GenericSchema => {
  if (ranks) return v.picklist(ranks)
  if (kind === 'words') return v.picklist(words.filter((word) => word !== omitted))
  return kind === 'count' || kind === 'number' ? v.number() : v.string()
}
