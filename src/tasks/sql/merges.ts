import { type Db, marks, portions } from '../../store/port.ts'
import { openStatuses, type TaskRow } from '../../store/rows.ts'
import { recountDependents } from './counts.ts'

export const toLand = (db: Db, root: string): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    "SELECT * FROM tasks WHERE root = ? AND merge = 'merged' AND landed_at IS NULL ORDER BY seq",
    root,
  )

/** Returns an epic's tasks that are out or whose work is not merged. */
export const unmerged = (db: Db, root: string): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    `SELECT * FROM tasks WHERE root = ? AND (merge = 'pending' OR (merge = 'refused' AND status IN ${openStatuses})
       OR (attempt_out > 0 AND status IN ${openStatuses})) ORDER BY seq`,
    root,
  )

/** Returns the tasks that became ready. */
export const markLanded = async (db: Db, ids: readonly string[], now: number): Promise<string[]> => {
  const ready: string[] = []
  for (const some of portions(ids))
    await db.run(
      `UPDATE tasks SET landed_at = ?, updated_at = ? WHERE id IN (${marks(some.length)}) AND merge = 'merged'`,
      now,
      now,
      ...some,
    )
  for (const id of ids) ready.push(...(await recountDependents(db, id)))
  return [...new Set(ready)]
}

/**
 * Returns the dependencies of a task and of its ancestors, but only those that belong to another epic and have landed.
 */
export const landedNeeds = async (db: Db, id: string): Promise<string[]> => {
  const rows = await db.all<{ id: string }>(
    `SELECT DISTINCT n.id AS id FROM tasks
       JOIN depends d ON d.task IN (tasks.id, tasks.parent, (SELECT p.parent FROM tasks p WHERE p.id = tasks.parent))
       JOIN tasks n ON n.id = d.needs
     WHERE tasks.id = ? AND n.root <> tasks.root AND n.landed_at IS NOT NULL`,
    id,
  )
  return rows.map((row) => row.id)
}

export const hasLanded = async (db: Db, root: string): Promise<boolean> =>
  (await db.get('SELECT 1 AS there FROM tasks WHERE root = ? AND landed_at IS NOT NULL LIMIT 1', root)) !==
  undefined

/**
 * Records that the branch of a done task was merged, or that the branch will never be merged. Returns the tasks that
 * became ready.
 */
export const endMerge = async (
  db: Db,
  id: string,
  merge: 'merged' | 'refused',
  now: number,
): Promise<string[]> => {
  await db.run('UPDATE tasks SET merge = ?, updated_at = ? WHERE id = ?', merge, now, id)
  return recountDependents(db, id)
}

/** This is fast, because an index contains only the tasks whose work is not merged. */
export const unmergedPartial = async (db: Db, root: string): Promise<string[]> => {
  const rows = await db.all<{ id: string }>(
    "SELECT id FROM tasks WHERE merge = 'pending' AND root = ? AND outcome = 'partial' ORDER BY seq",
    root,
  )
  return rows.map(({ id }) => id)
}

export const hasMergedChild = async (db: Db, id: string): Promise<boolean> =>
  (await db.get("SELECT 1 AS there FROM tasks WHERE parent = ? AND merge = 'merged' LIMIT 1", id)) !==
  undefined

export const partialChild = async (db: Db, id: string): Promise<string | undefined> => {
  const row = await db.get<{ id: string }>(
    "SELECT id FROM tasks WHERE parent = ? AND status = 'done' AND outcome = 'partial' ORDER BY seq LIMIT 1",
    id,
  )
  return row?.id
}

/** Returns the commit that was proved when the task last became done; undefined if none was recorded. */
export const submittedCommit = async (
  db: Db,
  id: string,
): Promise<{ spawn: string; head: string } | undefined> => {
  const row = await db.get<{ after: string }>(
    `SELECT after FROM audit WHERE task = ? AND after LIKE '{"status":"done"%' ORDER BY seq DESC LIMIT 1`,
    id,
  )
  return row && (JSON.parse(row.after) as { submitted?: { spawn: string; head: string } }).submitted
}
