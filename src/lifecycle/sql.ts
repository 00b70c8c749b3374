import type { Protocol } from '../kernel/protocol.ts'
import type { Stage, Status, TaskType } from '../kernel/task.ts'
import { type Db, insertRows } from '../store/port.ts'
import { openStatuses } from '../store/rows.ts'
import type { StageMove } from './progress.ts'

export interface StageMoveRow extends StageMove {
  seq: number
  epic: string
  actor: string
  at: number
}

export const insert = (db: Db, moves: readonly Omit<StageMoveRow, 'seq'>[]): Promise<void> =>
  insertRows(db, 'stage_moves', moves)

export const ofEpic = (db: Db, epic: string): Promise<StageMoveRow[]> =>
  db.all<StageMoveRow>('SELECT * FROM stage_moves WHERE epic = ? ORDER BY seq', epic)

export interface StageTask {
  id: string
  title: string
  type: TaskType
  status: Status
  stage: Stage | null
  /** The protocol of the task's latest spawn. */
  protocol: Protocol | null
}

/** Returns the work below an epic: open tasks without open children, and done tasks without children. */
export const work = (db: Db, epic: string): Promise<StageTask[]> =>
  db.all<StageTask>(
    `SELECT id, title, type, status, stage,
       (SELECT protocol FROM spawns WHERE spawns.task = tasks.id ORDER BY attempt DESC LIMIT 1) AS protocol
     FROM tasks WHERE root = ? AND id <> root AND status <> 'cancelled' AND NOT EXISTS (
       SELECT 1 FROM tasks part WHERE part.parent = tasks.id
         AND (tasks.status = 'done' OR part.status IN ${openStatuses}))
     ORDER BY seq`,
    epic,
  )
