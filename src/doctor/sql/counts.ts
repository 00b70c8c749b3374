import type { Db } from '../../store/port.ts'
import { openStatuses, type TaskRow } from '../../store/rows.ts'
import { type Some, some } from './some.ts'

export interface Miscounted extends Pick<TaskRow, 'id' | 'blockers' | 'unblocks' | 'children'> {
  real_blockers: number
  real_unblocks: number
  real_children: number
}

// From the tree and the dependencies alone; `store/counts.ts` moves these counts one by one.
const counted = {
  blockers: `(SELECT count(*) FROM depends d JOIN tasks n ON n.id = d.needs WHERE n.status IN ${openStatuses}
    AND d.task IN (tasks.id, tasks.parent, (SELECT up.parent FROM tasks up WHERE up.id = tasks.parent)))`,
  unblocks: `(SELECT count(*) FROM depends d JOIN tasks w ON w.id = d.task
    WHERE d.needs = tasks.id AND w.status IN ${openStatuses})`,
  children: '(SELECT count(*) FROM tasks part WHERE part.parent = tasks.id)',
}
const isWrong = Object.entries(counted)
  .map(([column, sql]) => `${column} <> ${sql}`)
  .join(' OR ')

export const miscounted = (db: Db, limit: number): Promise<Some<Miscounted>> =>
  some(
    db,
    `SELECT id, blockers, unblocks, children, ${counted.blockers} AS real_blockers,
       ${counted.unblocks} AS real_unblocks, ${counted.children} AS real_children
     FROM tasks WHERE ${isWrong} ORDER BY seq`,
    limit,
  )

/** Answers the tasks that were counted wrongly. */
export const recountWrong = async (db: Db): Promise<string[]> => {
  const set = Object.entries(counted).map(([column, sql]) => `${column} = ${sql}`)
  const rows = await db.all<{ id: string }>(
    `UPDATE tasks SET ${set.join(', ')} WHERE ${isWrong} RETURNING tasks.id AS id`,
  )
  return rows.map(({ id }) => id)
}

/** The last number given out, and the highest that is taken. */
export const counter = async (db: Db): Promise<{ value: number; highest: number }> => {
  const row = await db.get<{ value: number | null; highest: number | null }>(
    "SELECT (SELECT value FROM counters WHERE name = 'task') AS value, (SELECT max(seq) FROM tasks) AS highest",
  )
  return { value: Number(row?.value ?? 0), highest: Number(row?.highest ?? 0) }
}
