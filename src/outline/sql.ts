import { type Db, marks, portions } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'

/** Leaves out cancelled tasks, because their keys can be used again. */
export const rootsWithKeys = async (db: Db, keys: readonly string[]): Promise<TaskRow[]> => {
  const rows: TaskRow[] = []
  for (const some of portions(keys))
    rows.push(
      ...(await db.all<TaskRow>(
        `SELECT * FROM tasks WHERE key IN (${marks(some.length)}) AND parent IS NULL AND status <> 'cancelled' ORDER BY seq`,
        ...some,
      )),
    )
  return rows
}

export const withKeysIn = (db: Db, root: string): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    "SELECT * FROM tasks WHERE root = ? AND key IS NOT NULL AND status <> 'cancelled' ORDER BY seq",
    root,
  )

/** Parents come before children. */
export const outlined = (db: Db, root: string | undefined): Promise<TaskRow[]> =>
  root === undefined
    ? db.all<TaskRow>("SELECT * FROM tasks WHERE status <> 'cancelled' ORDER BY seq")
    : db.all<TaskRow>("SELECT * FROM tasks WHERE root = ? AND status <> 'cancelled' ORDER BY seq", root)
