import type { Status } from '../../kernel/task.ts'
import type { Db } from '../../store/port.ts'
import { openStatuses, type TaskRow } from '../../store/rows.ts'

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

type Top = Pick<TaskRow, 'id' | 'root'>

// What stands at the top is the root of all below it, and an index on the root finds these four times as fast.
const isRoot = ({ id, root }: Top): boolean => id === root

const below = `WITH RECURSIVE below (id, level) AS (
  SELECT id, 0 FROM tasks WHERE id = ?
  UNION ALL SELECT t.id, level + 1 FROM tasks t JOIN below ON t.parent = below.id)`

/** The tree below a task, itself first, parents before children. */
export const treeBelow = (db: Db, top: Top): Promise<GraphNode[]> =>
  db.all<GraphNode>(
    isRoot(top)
      ? `SELECT id, parent, status, title FROM tasks WHERE root = ?
         ORDER BY CASE WHEN id = root THEN 0 WHEN parent = root THEN 1 ELSE 2 END, seq`
      : `${below} SELECT tasks.id AS id, parent, status, title FROM below JOIN tasks ON tasks.id = below.id
         ORDER BY level, seq`,
    top.id,
  )

/** Dependencies of the open tasks in that tree. */
export const needsBelow = (db: Db, top: Top): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    `${isRoot(top) ? '' : below} SELECT d.task AS task, d.needs AS needs, n.status AS status
     FROM ${isRoot(top) ? 'tasks t' : 'below JOIN tasks t ON t.id = below.id'}
       JOIN depends d ON d.task = t.id JOIN tasks n ON n.id = d.needs
     WHERE t.status IN ${openStatuses} ${isRoot(top) ? 'AND t.root = ?' : ''}`,
    top.id,
  )

export const needsOf = (db: Db, task: string): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    'SELECT d.task AS task, d.needs AS needs, n.status AS status FROM depends d JOIN tasks n ON n.id = d.needs WHERE d.task = ?',
    task,
  )
