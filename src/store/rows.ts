import { closed } from '../kernel/task.ts'
import type { RowOf } from './columns/column.ts'
import type * as results from './columns/results.ts'
import type * as tasks from './columns/tasks.ts'
import type * as work from './columns/work.ts'

export type TaskRow = RowOf<ReturnType<typeof tasks.taskColumns>>
export type SessionRow = RowOf<typeof work.sessions>
export type ClaimRow = RowOf<typeof work.claims>
export type FocusRow = RowOf<typeof work.focus>
export type SpawnRow = RowOf<typeof work.spawns>
export type IntegrationRow = RowOf<typeof work.integrations>
export type WorktreeRow = RowOf<typeof work.worktrees>
export type MergeRow = RowOf<typeof work.merges>
export type RunRow = RowOf<typeof work.runs>
export type RunEventRow = RowOf<typeof work.runEvents>
export type RunAgentRow = RowOf<typeof work.runAgents>
export type EntryRow = RowOf<typeof results.entries>
export type AuditRow = RowOf<typeof results.audit>

/** The columns that lists of tasks show. */
export type LineRow = Pick<TaskRow, 'id' | 'title' | 'status' | 'priority' | 'size'> &
  Partial<Pick<TaskRow, 'outcome'>>

export const lineColumns = 'id, title, status, priority, size, outcome'

export const openStatuses = `('pending', 'active', 'blocked')`

type Need = Pick<TaskRow, 'status' | 'merge' | 'landed_at' | 'root'>

/**
 * Whether a dependency keeps a task from starting. `ofTask` is the id of the waiting task's root. The function
 * `holdsBack` is the same rule in SQL.
 */
export const isHoldingBack = ({ status, merge, landed_at, root }: Need, ofTask: string): boolean =>
  !closed(status) || merge === 'pending' || (merge === 'merged' && landed_at === null && root !== ofTask)

/**
 * An SQL condition that is true if the task is open or its branch is not merged yet. The dependents and the parent
 * of such a task have to wait.
 */
export const isUnfinished = (task: string): string =>
  `(${task}.status IN ${openStatuses} OR ${task}.merge = 'pending')`

/**
 * An SQL condition that is true if the dependency `need` keeps `task` from starting. If `need` is in another epic,
 * `task` waits until the work of `need` has landed.
 */
export const holdsBack = (need: string, task: string): string =>
  `(${isUnfinished(need)} OR (${need}.merge = 'merged' AND ${need}.landed_at IS NULL AND ${need}.root <> ${task}.root))`
