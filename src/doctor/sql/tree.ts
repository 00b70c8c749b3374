import type { Db } from '../../store/port.ts'
import { openStatuses } from '../../store/rows.ts'
import { type Some, some } from './some.ts'

/** A task with its place, or, where `needs` is set, one of its dependencies. */
export interface Edge {
  id: string
  parent: string | null
  root: string | null
  needs: string | null
}

/** The whole tree and all dependencies, of one moment. */
export const everyEdge = (db: Db): Promise<Edge[]> =>
  db.all<Edge>(
    `SELECT id, parent, root, NULL AS needs FROM tasks
     UNION ALL SELECT task, NULL, NULL, needs FROM depends`,
  )

export const setRoot = async (db: Db, id: string, root: string): Promise<void> => {
  await db.run('UPDATE tasks SET root = ? WHERE id = ?', root, id)
}

export interface ClosedParent {
  id: string
  status: string
  child: string
}

/** Parents that are done or cancelled, each with an open child. */
export const closedParents = (db: Db, limit: number): Promise<Some<ClosedParent>> =>
  some(
    db,
    `SELECT p.id AS id, p.status AS status, min(c.id) AS child FROM tasks c JOIN tasks p ON p.id = c.parent
     WHERE c.status IN ${openStatuses} AND p.status NOT IN ${openStatuses}
     GROUP BY p.id, p.status, p.seq ORDER BY p.seq`,
    limit,
  )

export interface Dangling {
  /** The table whose row names what is not there. */
  table: string
  parent: string
  total: number
}

/** Rows that name what is not there. PostgreSQL has none: it never lets go of the rule. */
export const dangling = async (db: Db): Promise<Dangling[]> =>
  db.dialect.name === 'postgres'
    ? []
    : db.all<Dangling>(
        `SELECT "table", parent, count(*) AS total FROM pragma_foreign_key_check
         WHERE NOT ("table" = 'tasks' AND parent = 'tasks') GROUP BY "table", parent ORDER BY "table", parent`,
      )

export interface MissingNeed {
  task: string
  needs: string
}

export const missingNeeds = (db: Db, limit: number): Promise<Some<MissingNeed>> =>
  some(
    db,
    'SELECT task, needs FROM depends WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.id = depends.needs) ORDER BY task, needs',
    limit,
  )
