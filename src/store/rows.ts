import type { RowOf } from './columns/column.ts'
import type * as results from './columns/results.ts'
import type * as tasks from './columns/tasks.ts'
import type * as work from './columns/work.ts'

/** Rows as they are stored, derived from the column tables. */
export type TaskRow = RowOf<typeof tasks.tasks>
export type SessionRow = RowOf<typeof work.sessions>
export type ClaimRow = RowOf<typeof work.claims>
export type FocusRow = RowOf<typeof work.focus>
export type SpawnRow = RowOf<typeof work.spawns>
export type EntryRow = RowOf<typeof results.entries>
export type AuditRow = RowOf<typeof results.audit>

/** The columns of a task that lists show. */
export type LineRow = Pick<TaskRow, 'id' | 'title' | 'status' | 'priority' | 'size'> &
  Partial<Pick<TaskRow, 'outcome'>>

export const lineColumns = 'id, title, status, priority, size, outcome'

/** The statuses of an open task, as an SQL list. */
export const openStatuses = `('pending', 'active', 'blocked')`
