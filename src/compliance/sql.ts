import type { AuditRow } from '../audit/sql.ts'
import { type Db, marks, portions } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'

/** Operations that no rule needs. Their log lines are long, so they are not read. */
const skipped = ['tasks.add', 'tasks.update', 'tasks.note', 'focus.note']
const mostLines = 1000

/** Returns the last audit lines of a task, without the skipped operations, oldest first. */
export const logOf = async (
  db: Db,
  task: string,
): Promise<Pick<AuditRow, 'seq' | 'actor' | 'operation' | 'after'>[]> => {
  const rows = await db.all<Pick<AuditRow, 'seq' | 'actor' | 'operation' | 'after'>>(
    `SELECT seq, actor, operation, after FROM audit WHERE task = ? AND operation NOT IN (${marks(skipped.length)})
     ORDER BY seq DESC LIMIT ?`,
    task,
    ...skipped,
    mostLines,
  )
  return rows.reverse()
}

export const focusedBy = async (db: Db, tasks: readonly string[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string; actor: string }>(
      `SELECT DISTINCT task, actor FROM audit WHERE task IN (${marks(some.length)}) AND operation = 'focus.set'
       ORDER BY task, actor`,
      ...some,
    )
    for (const { task, actor } of rows) found.set(task, [...(found.get(task) ?? []), actor])
  }
  return found
}

export const childrenOf = (db: Db, parent: string, limit: number): Promise<TaskRow[]> =>
  db.all<TaskRow>('SELECT * FROM tasks WHERE parent = ? ORDER BY seq LIMIT ?', parent, limit)

export const createdBy = (db: Db, root: string, origin: string, limit: number): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    'SELECT * FROM tasks WHERE root = ? AND origin = ? ORDER BY seq LIMIT ?',
    root,
    origin,
    limit,
  )
