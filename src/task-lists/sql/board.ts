import type { Status } from '../../kernel/task.ts'
import type { Db, Param } from '../../store/port.ts'
import type { TaskRow } from '../../store/rows.ts'

/** `place` is the column in which the board shows the task. */
export type Card = Pick<
  TaskRow,
  'seq' | 'id' | 'title' | 'priority' | 'unblocks' | 'reason' | 'completed_at'
> & {
  place: 'ready' | 'blocked' | 'unmerged' | 'done'
}

const columns = 'seq, id, title, priority, unblocks, reason, completed_at'

/**
 * Returns the first tasks of each column except `active`, at most `limit` per column. `statuses` are the statuses that
 * occur among the tasks. One query reads these columns, with a part for each. It has no parts for statuses that do not
 * occur, because each part makes the query slower to prepare. Preparing the query takes most of the time.
 */
export const cards = async (
  db: Db,
  root: string | undefined,
  { limit, statuses }: { limit: number; statuses: Pick<ReadonlyMap<Status, unknown>, 'has'> },
): Promise<Card[]> => {
  const inRoot = root === undefined ? '' : 'root = ? AND'
  const own = root === undefined ? [] : [root]
  const params: Param[] = []
  const part = (place: Card['place'], condition: string, order: string): string => {
    params.push(...own, limit)
    return `SELECT * FROM (SELECT '${place}' AS place, ${columns} FROM tasks
      WHERE ${inRoot} ${condition} ORDER BY ${order} LIMIT ?) AS ${place}_part`
  }
  const parts = [
    part(
      'ready',
      "status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0",
      'priority, unblocks DESC, seq',
    ),
  ]
  if (statuses.has('blocked'))
    parts.push(
      part('blocked', "status = 'blocked'", root === undefined ? 'updated_at DESC, seq' : 'seq DESC'),
    )
  if (!statuses.has('done')) return db.all<Card>(parts.join(' UNION ALL '), ...params)
  parts.push(part('unmerged', "merge = 'pending' AND status = 'done' AND children = 0", 'seq'))
  const done = root === undefined ? recentlyDone(limit) : doneIn(root, limit)
  return db.all<Card>([...parts, done.sql].join(' UNION ALL '), ...params, ...done.params)
}

/**
 * For each done task that the board shows, this many completions are read. One would not be enough, because the
 * board leaves out completed tasks that were reopened or have children.
 */
const lookedAt = 4

/**
 * Selects the tasks of the whole project that were done last. No index of tasks has this order, so the latest
 * completions are read from the audit log, which has an index by operation.
 */
const recentlyDone = (limit: number): { sql: string; params: Param[] } => {
  const operations = ['tasks.complete', 'tasks.finish', 'orchestrate.receive']
  const latest = operations.map(
    (_, i) =>
      `SELECT task FROM (SELECT task FROM audit WHERE operation = ? ORDER BY seq DESC LIMIT ?) AS last_${i}`,
  )
  return {
    sql: `SELECT * FROM (SELECT 'done' AS place, ${columns} FROM tasks
      WHERE id IN (${latest.join(' UNION ')}) AND status = 'done' AND merge <> 'pending' AND children = 0
      ORDER BY completed_at DESC, seq DESC LIMIT ?) AS done_part`,
    params: [...operations.flatMap((name) => [name, lookedAt * limit]), limit],
  }
}

/** At most this many done tasks of an epic are read, newest first. */
const mostDone = 200

const doneIn = (root: string, limit: number): { sql: string; params: Param[] } => ({
  sql: `SELECT * FROM (SELECT 'done' AS place, ${columns} FROM (
      SELECT * FROM tasks WHERE root = ? AND status = 'done' ORDER BY seq DESC LIMIT ?) AS newest
    WHERE merge <> 'pending' AND children = 0 ORDER BY completed_at DESC, seq DESC LIMIT ?) AS done_part`,
  params: [root, mostDone, limit],
})
