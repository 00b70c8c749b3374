import { countUpTo, type Total } from '../../store/count-up-to.ts'
import type { Db, Param } from '../../store/port.ts'
import { lineColumns, type TaskRow } from '../../store/rows.ts'
import type { Where } from '../../store/where.ts'
import {
  conditions,
  type ListFilter,
  type ListRow,
  matching,
  page,
  statusesIn,
  totalOf,
} from '../../tasks/sql/list.ts'

/** If no index has the order that a list needs, at most this many tasks are sorted. */
export const mostSorted = 10_000

type Sorted = Total & { rows: ListRow[] }
type LastShown = Pick<TaskRow, 'seq' | 'priority' | 'unblocks' | 'title' | 'updated_at'>

const columns = `seq, parent, children, blockers, attempt_out, ${lineColumns}`

/** Reads one priority after the other. Within one priority, the indexes list tasks in order of creation. */
export const byPriority = async (
  db: Db,
  filter: ListFilter,
  last: LastShown | undefined,
): Promise<Sorted> => {
  const rows: ListRow[] = []
  for (let priority = last?.priority ?? 0; priority < 4 && rows.length < filter.limit; priority++) {
    if ((filter.priority ?? priority) !== priority) continue
    const after = priority === last?.priority ? last.seq : undefined
    rows.push(...(await page(db, { ...filter, priority, after, limit: filter.limit - rows.length })))
  }
  const found = await statusesIn(db, filter)
  return { rows, ...(await totalOf(db, { ...filter, after: last?.seq }, found, rows.length)) }
}

/** The order is that of the ready index: the best task to start comes first. */
export const readyOnes = async (db: Db, filter: ListFilter, last: LastShown | undefined): Promise<Sorted> => {
  const { label, limit } = filter
  const others = conditions({ ...filter, ready: true, after: undefined }, 'seq')
  const labels = label === undefined ? '' : ' AND tasks.id IN (SELECT task FROM labels WHERE label = ?)'
  const wanted = `SELECT ${columns} FROM tasks WHERE status = 'pending'${others.sql}${labels}`
  const params: Param[] = [...others.params, ...(label === undefined ? [] : [label])]
  const after = last
    ? where(
        'priority > ? OR (priority = ? AND (unblocks < ? OR (unblocks = ? AND seq > ?)))',
        ...[last.priority, last.priority, last.unblocks, last.unblocks, last.seq],
      )
    : where('')
  const rows = await db.all<ListRow>(
    `${wanted}${after.sql} ORDER BY priority, unblocks DESC, seq LIMIT ?`,
    ...params,
    ...after.params,
    limit,
  )
  if (!last && rows.length < limit) return { rows, total: rows.length }
  return { rows, ...(await countUpTo(db, wanted, ...params)) }
}

/**
 * Returns a page of tasks ordered by title, or by last change with the latest first. Returns undefined if more than
 * `mostSorted` tasks match, because sorting them would be slow without an index. There is no index for these orders,
 * because many commands would have to update it.
 */
export const bySorting = async (
  db: Db,
  filter: ListFilter,
  by: 'title' | 'updated',
  last: LastShown | undefined,
): Promise<Sorted | undefined> => {
  const { statuses } = await statusesIn(db, filter)
  if (statuses.length === 0) return { rows: [], total: 0 }
  const all = matching(
    { ...filter, after: undefined, limit: mostSorted + 1 },
    statuses,
    `${columns}, updated_at`,
  )
  const counted = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${all.sql}) AS found`,
    ...all.params,
  )
  const total = Number(counted!.n)
  if (total > mostSorted) return undefined
  // COLLATE "C" gives the same order in both databases, whatever the language of the PostgreSQL server.
  const title = db.dialect.name === 'postgres' ? 'lower(title) COLLATE "C"' : 'lower(title)'
  const given = db.dialect.name === 'postgres' ? 'lower(CAST(? AS text)) COLLATE "C"' : 'lower(?)'
  const after = !last
    ? where('')
    : by === 'title'
      ? where(
          `${title} > ${given} OR (${title} = ${given} AND seq > ?)`,
          ...[last.title, last.title, last.seq],
        )
      : where(
          'updated_at < ? OR (updated_at = ? AND seq < ?)',
          ...[last.updated_at, last.updated_at, last.seq],
        )
  const order = by === 'title' ? `${title}, seq` : 'updated_at DESC, seq DESC'
  const rows = await db.all<ListRow>(
    `SELECT * FROM (${all.sql}) AS found WHERE 1 = 1${after.sql} ORDER BY ${order} LIMIT ?`,
    ...all.params,
    ...after.params,
    filter.limit,
  )
  return { rows, total }
}

const where = (condition: string, ...params: Param[]): Where => ({
  sql: condition && ` AND (${condition})`,
  params,
})
