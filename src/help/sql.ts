import type { Db } from '../store/port.ts'
import type { SpawnRow, TaskRow } from '../store/rows.ts'

type Titled = Pick<TaskRow, 'id' | 'title'>

export const tasksBetween = (db: Db, from: number, to: number, limit: number): Promise<Titled[]> =>
  db.all<Titled>(
    'SELECT id, title FROM tasks WHERE seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT ?',
    from,
    to,
    limit,
  )

export const newestSpawns = (
  db: Db,
  task: string | undefined,
  limit: number,
): Promise<(Pick<SpawnRow, 'id'> & { title: string })[]> =>
  db.all(
    `SELECT spawns.id AS id, (SELECT title FROM tasks WHERE tasks.id = spawns.task) AS title
     FROM spawns ${task === undefined ? '' : 'WHERE task = ?'} ORDER BY seq DESC LIMIT ?`,
    ...(task === undefined ? [] : [task]),
    limit,
  )
