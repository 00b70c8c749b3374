import type { Status } from '../model/task.ts'
import type { Db } from './port.ts'
import { openStatuses } from './rows.ts'

export interface GraphNode {
  id: string
  parent: string | null
  status: Status
  title: string
}

export interface GraphNeed {
  task: string
  needs: string
  status: Status
}

// The tree below a task, itself first, parents before children. An epic is the root of all its tasks.
const below = `WITH RECURSIVE below (id, level) AS (
  SELECT id, 0 FROM tasks WHERE id = ?
  UNION ALL SELECT t.id, level + 1 FROM tasks t JOIN below ON t.parent = below.id)`

export const treeBelow = (db: Db, id: string): Promise<GraphNode[]> =>
  db.all<GraphNode>(
    `${below} SELECT tasks.id AS id, parent, status, title FROM below JOIN tasks ON tasks.id = below.id ORDER BY level, seq`,
    id,
  )

/** Dependencies of the open tasks in that tree, and of the ancestors above it, which bind it too. */
export const needsBelow = (db: Db, id: string): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    `${below} SELECT d.task AS task, d.needs AS needs, n.status AS status
     FROM below JOIN tasks t ON t.id = below.id JOIN depends d ON d.task = t.id JOIN tasks n ON n.id = d.needs
     WHERE t.status IN ${openStatuses}`,
    id,
  )

export const needsOf = (db: Db, task: string): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    'SELECT d.task AS task, d.needs AS needs, n.status AS status FROM depends d JOIN tasks n ON n.id = d.needs WHERE d.task = ?',
    task,
  )
