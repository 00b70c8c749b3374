import type { Status } from '../../kernel/task.ts'
import { type Db, marks, portions } from '../../store/port.ts'
import { holdsBack, type TaskRow } from '../../store/rows.ts'

// Every task row stores how many children, open dependents and blockers the task has, so that an index finds the
// ready tasks. A blocker is a dependency that keeps the task from starting. Each count is changed in the same
// transaction as the rows that it counts.

export const countChild = async (db: Db, parent: string | null, by: 1 | -1): Promise<void> => {
  if (parent) await db.run('UPDATE tasks SET children = children + ? WHERE id = ?', by, parent)
}

export interface AddedCounts {
  children: number
  unblocks: number
}

export const addCounts = async (db: Db, added: ReadonlyMap<string, AddedCounts>): Promise<void> => {
  for (const [id, { children, unblocks }] of added)
    await db.run(
      'UPDATE tasks SET children = children + ?, unblocks = unblocks + ? WHERE id = ?',
      children,
      unblocks,
      id,
    )
}

// Counts the dependencies that keep a task from starting: its own, and those of its parent and its grandparent.
const blockerCount = `(
  SELECT count(*) FROM depends d JOIN tasks n ON n.id = d.needs
  WHERE ${holdsBack('n', 'tasks')}
    AND d.task IN (tasks.id, tasks.parent, (SELECT p.parent FROM tasks p WHERE p.id = tasks.parent)))`

type Counted = Pick<TaskRow, 'id' | 'seq' | 'status' | 'blockers' | 'children'>

const recount = async (db: Db, ids: readonly string[]): Promise<Counted[]> => {
  const counted: Counted[] = []
  for (const some of portions(ids)) {
    const rows = await db.all<Counted>(
      `UPDATE tasks SET blockers = ${blockerCount} WHERE id IN (${marks(some.length)})
       RETURNING id, seq, status, blockers, children`,
      ...some,
    )
    counted.push(...rows)
  }
  return counted
}

export const recountEach = async (db: Db, ids: readonly string[]): Promise<void> => {
  await recount(db, ids)
}

/** Also recounts all tasks below the dependents. Returns the tasks that became ready. */
export const recountDependents = async (db: Db, id: string): Promise<string[]> => {
  const dependents = await db.all<Family>(
    'SELECT id, children FROM tasks WHERE id IN (SELECT task FROM depends WHERE needs = ?)',
    id,
  )
  const rows = await recount(db, await withDescendants(db, dependents))
  return rows
    .filter((row) => row.blockers === 0 && row.status === 'pending' && row.children === 0)
    .sort((a, b) => a.seq - b.seq)
    .map((row) => row.id)
}

/** Also returns tasks below the dependents. The oldest task comes first. */
export const readyDependents = async (db: Db, id: string, limit: number): Promise<string[]> => {
  const dependents = await db.all<Family>(
    'SELECT id, children FROM tasks WHERE id IN (SELECT task FROM depends WHERE needs = ?)',
    id,
  )
  const ready: Pick<TaskRow, 'id' | 'seq'>[] = []
  for (const some of portions(await withDescendants(db, dependents)))
    ready.push(
      ...(await db.all<Pick<TaskRow, 'id' | 'seq'>>(
        `SELECT id, seq FROM tasks WHERE id IN (${marks(some.length)})
           AND status = 'pending' AND blockers = 0 AND children = 0`,
        ...some,
      )),
    )
  ready.sort((a, b) => a.seq - b.seq)
  return ready.slice(0, limit).map((row) => row.id)
}

/** Call this after the task's dependencies or parent changed. */
export const recountBlockers = async (db: Db, id: string): Promise<void> => {
  const family = await db.all<Family>('SELECT id, children FROM tasks WHERE id = ?', id)
  await recount(db, await withDescendants(db, family))
}

export const recountAllBlockers = async (db: Db, above: number): Promise<void> => {
  await db.run(`UPDATE tasks SET blockers = ${blockerCount} WHERE seq > ?`, above)
}

type Family = Pick<TaskRow, 'id' | 'children'>

// Reads one level after the other, and only below tasks that have children. Does not use a recursive query, because the
// planner would then expect to read the whole table.
const withDescendants = async (db: Db, family: readonly Family[]): Promise<string[]> => {
  const ids = new Set<string>()
  for (let level = family; level.length > 0; ) {
    for (const { id } of level) ids.add(id)
    const parents = level.filter(({ children }) => children > 0).map(({ id }) => id)
    const below: Family[] = []
    for (const some of portions(parents)) {
      below.push(
        ...(await db.all<Family>(
          `SELECT id, children FROM tasks WHERE parent IN (${marks(some.length)})`,
          ...some,
        )),
      )
    }
    level = below
  }
  return [...ids]
}

export const openOnes = ['pending', 'active', 'blocked'] as const satisfies Status[]

// Database triggers keep the number of tasks per status in `task_counts`. The root '' stands for the whole project.

export const countEach = async (db: Db, root: string | undefined): Promise<Map<Status, number>> => {
  const rows = await db.all<{ status: Status; n: number }>(
    'SELECT status, n FROM task_counts WHERE root = ?',
    root ?? '',
  )
  const counts = new Map<Status, number>()
  for (const { status, n } of rows) counts.set(status, (counts.get(status) ?? 0) + Number(n))
  return counts
}

export const totalOf = async (
  db: Db,
  statuses: readonly Status[],
  root: string | undefined,
): Promise<number> => {
  const counts = await countEach(db, root)
  let total = 0
  for (const status of statuses) total += counts.get(status) ?? 0
  return total
}

/** Unmerged tasks are few, and an index finds them. */
export const countUnmerged = async (db: Db, root: string | undefined): Promise<number> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM tasks
     WHERE merge = 'pending' AND status = 'done' AND children = 0 ${root === undefined ? '' : 'AND root = ?'}`,
    ...(root === undefined ? [] : [root]),
  )
  return Number(row?.n ?? 0)
}

/**
 * Counts the tasks without children by status. Leaves out statuses that no task has. If all tasks with a status have
 * children, the count for that status is 0.
 */
export const countByStatus = async (db: Db, root: string | undefined): Promise<Map<Status, number>> => {
  const rows = await db.all<{ status: Status; leaf: number; n: number }>(
    'SELECT status, leaf, n FROM task_counts WHERE root = ? AND n > 0',
    root ?? '',
  )
  const counts = new Map<Status, number>()
  for (const { status, leaf, n } of rows)
    if (Number(leaf) === 1) counts.set(status, Number(n))
    else if (!counts.has(status)) counts.set(status, 0)
  return counts
}
