import type { Edge } from '../../graph/tree-faults.ts'
import type { Db } from '../../store/port.ts'
import { holdsBack, openStatuses, type TaskRow } from '../../store/rows.ts'
import { firstRows, type LimitedRows } from './limited.ts'

/** Returns the whole tree and all dependencies, read in one statement. */
export const everyEdge = (db: Db): Promise<Edge[]> =>
  db.all<Edge>(
    `SELECT id, parent, root, NULL AS needs FROM tasks
     UNION ALL SELECT task, NULL, NULL, needs FROM depends`,
  )

export const setRoot = async (db: Db, id: string, root: string): Promise<void> => {
  await db.run('UPDATE tasks SET root = ? WHERE id = ?', root, id)
}

/** Returns closed parents, each with one of its open children. */
export const closedParents = (
  db: Db,
  limit: number,
): Promise<LimitedRows<{ id: string; status: string; child: string }>> =>
  firstRows(
    db,
    `SELECT p.id AS id, p.status AS status, min(c.id) AS child FROM tasks c JOIN tasks p ON p.id = c.parent
     WHERE c.status IN ${openStatuses} AND p.status NOT IN ${openStatuses}
     GROUP BY p.id, p.status, p.seq ORDER BY p.seq`,
    limit,
  )

export interface DanglingRows {
  table: string
  parent: string
  total: number
}

/** PostgreSQL has no dangling rows, because it always enforces foreign keys. */
export const danglingRows = async (db: Db): Promise<DanglingRows[]> =>
  db.dialect.name === 'postgres'
    ? []
    : db.all<DanglingRows>(
        `SELECT "table", parent, count(*) AS total FROM pragma_foreign_key_check
         WHERE NOT ("table" = 'tasks' AND parent = 'tasks') GROUP BY "table", parent ORDER BY "table", parent`,
      )

export const missingDependencies = (
  db: Db,
  limit: number,
): Promise<LimitedRows<{ task: string; needs: string }>> =>
  firstRows(
    db,
    'SELECT task, needs FROM depends WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.id = depends.needs) ORDER BY task, needs',
    limit,
  )

export interface MiscountedTask extends Pick<TaskRow, 'id' | 'blockers' | 'unblocks' | 'children'> {
  real_blockers: number
  real_unblocks: number
  real_children: number
}

// `tasks/sql/counts.ts` updates these counts with each change. These queries compute them from scratch.
const counted = {
  blockers: `(SELECT count(*) FROM depends d JOIN tasks n ON n.id = d.needs WHERE ${holdsBack('n', 'tasks')}
    AND d.task IN (tasks.id, tasks.parent, (SELECT up.parent FROM tasks up WHERE up.id = tasks.parent)))`,
  unblocks: `(SELECT count(*) FROM depends d JOIN tasks w ON w.id = d.task
    WHERE d.needs = tasks.id AND w.status IN ${openStatuses})`,
  children: '(SELECT count(*) FROM tasks part WHERE part.parent = tasks.id)',
}
const isWrong = Object.entries(counted)
  .map(([column, sql]) => `${column} <> ${sql}`)
  .join(' OR ')

export const miscounted = (db: Db, limit: number): Promise<LimitedRows<MiscountedTask>> =>
  firstRows(
    db,
    `SELECT id, blockers, unblocks, children, ${counted.blockers} AS real_blockers,
       ${counted.unblocks} AS real_unblocks, ${counted.children} AS real_children
     FROM tasks WHERE ${isWrong} ORDER BY seq`,
    limit,
  )

export const recountWrong = async (db: Db): Promise<string[]> => {
  const set = Object.entries(counted).map(([column, sql]) => `${column} = ${sql}`)
  const rows = await db.all<{ id: string }>(
    `UPDATE tasks SET ${set.join(', ')} WHERE ${isWrong} RETURNING tasks.id AS id`,
  )
  return rows.map(({ id }) => id)
}

export interface WrongTotal {
  /** The root of the tree whose tasks were counted; '' for the whole project. */
  root: string
  status: string
  kept: number
  counted: number
}

const isLeaf = 'CASE children WHEN 0 THEN 1 ELSE 0 END'

/** Counts the tasks again, by root and status. Returns the stored counts that are wrong. */
export const wrongTotals = (db: Db, limit: number): Promise<LimitedRows<WrongTotal>> =>
  firstRows(
    db,
    `SELECT root, status, leaf, sum(kept) AS kept, sum(counted) AS counted FROM (
       SELECT root, status, leaf, n AS kept, 0 AS counted FROM task_counts
       UNION ALL SELECT '', status, ${isLeaf}, 0, 1 FROM tasks
       UNION ALL SELECT root, status, ${isLeaf}, 0, 1 FROM tasks) AS both_sides
     GROUP BY root, status, leaf HAVING sum(kept) <> sum(counted) ORDER BY root, status, leaf`,
    limit,
  )

export const recountTotals = async (db: Db): Promise<void> => {
  await db.run('DELETE FROM task_counts')
  await db.run(
    `INSERT INTO task_counts (root, status, leaf, n)
     SELECT root, status, leaf, count(*) FROM (
       SELECT '' AS root, status, ${isLeaf} AS leaf FROM tasks
       UNION ALL SELECT root, status, ${isLeaf} FROM tasks) AS counted
     GROUP BY root, status, leaf`,
  )
}

/**
 * Returns the counter of task numbers, and the highest number that a task has. If the counter is lower, a new task gets
 * a number that is already used.
 */
export const counter = async (db: Db): Promise<{ value: number; highest: number }> => {
  const row = await db.get<{ value: number | null; highest: number | null }>(
    "SELECT (SELECT value FROM counters WHERE name = 'task') AS value, (SELECT max(seq) FROM tasks) AS highest",
  )
  return { value: Number(row?.value ?? 0), highest: Number(row?.highest ?? 0) }
}

export const unclaimedActive = (db: Db, limit: number): Promise<LimitedRows<{ id: string }>> =>
  firstRows(
    db,
    `SELECT id FROM tasks WHERE status = 'active'
       AND NOT EXISTS (SELECT 1 FROM claims WHERE claims.task = tasks.id AND state = 'held') ORDER BY seq`,
    limit,
  )

export const claimsOnInactive = (
  db: Db,
  limit: number,
): Promise<LimitedRows<{ id: string; owner: string; status: string }>> =>
  firstRows(
    db,
    `SELECT claims.task AS id, claims.owner AS owner, status FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status <> 'active' ORDER BY tasks.seq`,
    limit,
  )

/** The row is kept, so that later writes of the claim's owner can be refused. */
export const markClaimLost = (db: Db, { id, owner }: { id: string; owner: string }): Promise<number> =>
  db.run("UPDATE claims SET state = 'lost' WHERE task = ? AND owner = ? AND state = 'held'", id, owner)

export const expiredBefore = (
  db: Db,
  moment: number,
  limit: number,
): Promise<LimitedRows<{ id: string; owner: string; expires_at: number }>> =>
  firstRows(
    db,
    `SELECT claims.task AS id, claims.owner AS owner, expires_at FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status = 'active' AND expires_at < ${Math.floor(moment)} ORDER BY tasks.seq`,
    limit,
  )

/** Returns active sessions whose scope is no longer an epic, or is an epic that was closed before the given time. */
export const sessionsWithoutEpic = (
  db: Db,
  moment: number,
  limit: number,
): Promise<LimitedRows<{ id: string; scope: string; status: string; type: string }>> =>
  firstRows(
    db,
    `SELECT s.id AS id, s.scope AS scope, t.status AS status, t.type AS type
     FROM sessions s JOIN tasks t ON t.id = s.scope WHERE s.status = 'active'
       AND (t.type <> 'epic' OR t.parent IS NOT NULL
         OR (t.status NOT IN ${openStatuses} AND t.completed_at < ${Math.floor(moment)})) ORDER BY s.seq`,
    limit,
  )

interface ClaimedTask {
  id: string
  owner: string
  expires_at: number
}

export const expiringAfter = (db: Db, time: number, limit: number): Promise<LimitedRows<ClaimedTask>> =>
  firstRows(
    db,
    `SELECT tasks.id AS id, owner, expires_at FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status = 'active' AND expires_at > ? ORDER BY seq`,
    limit,
    time,
  )

export const shortenClaims = async (db: Db, time: number, expires: number): Promise<void> => {
  await db.run("UPDATE claims SET expires_at = ? WHERE state = 'held' AND expires_at > ?", expires, time)
}
