import type { Size, Stage, Status, TaskType } from '../kernel/task.ts'

/** A task as it is stored. */
export interface TaskRow {
  seq: number
  id: string
  title: string
  description: string
  type: TaskType
  parent: string | null
  root: string
  status: Status
  reason: string | null
  priority: number
  size: Size
  stage: Stage | null
  completes: 'auto' | 'manual'
  origin: string
  outcome: 'complete' | 'partial' | null
  epoch: number
  blockers: number
  unblocks: number
  children: number
  created_at: number
  updated_at: number
  completed_at: number | null
}

/** What a list shows of it. */
export type LineRow = Pick<TaskRow, 'id' | 'title' | 'status' | 'priority' | 'size'>

export const lineColumns = 'id, title, status, priority, size'

/** Where a task is not closed, in SQL. */
export const openStatuses = `('pending', 'active', 'blocked')`

export interface SessionRow {
  seq: number
  id: string
  name: string
  scope: string | null
  status: 'active' | 'ended'
  actor: string
  started_at: number
  ended_at: number | null
}
