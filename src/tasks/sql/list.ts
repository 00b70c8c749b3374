import { type Size, type Status, statuses, type TaskType } from '../../kernel/task.ts'
import { countUpTo, mostCounted, type Total } from '../../store/count-up-to.ts'
import type { Db, Param } from '../../store/port.ts'
import { type LineRow, lineColumns, type TaskRow } from '../../store/rows.ts'
import type { Where } from '../../store/where.ts'
import { countEach, openOnes } from './counts.ts'

export interface ListFilter {
  status?: Status
  open?: boolean
  type?: TaskType
  parent?: string
  /** Only tasks without a parent. */
  top?: boolean
  root?: string
  label?: string
  priority?: number
  size?: Size
  /** The number of the last task on the previous page. */
  after?: number
  limit: number
}

export type ListRow = LineRow & Pick<TaskRow, 'seq' | 'parent' | 'children'>

/** Returns a page of tasks in order of creation, and how many match. */
export const list = async (db: Db, filter: ListFilter): Promise<Total & { rows: ListRow[] }> => {
  const found = await statusesIn(db, filter)
  const rows = await pageOf(db, filter, found.statuses)
  const { type, parent, label, priority, size, after, limit } = filter
  if ((type ?? parent ?? label ?? priority ?? size) === undefined) return { rows, total: found.total }
  if (after === undefined && rows.length < limit) return { rows, total: rows.length }
  const all = matching({ ...filter, after: undefined, limit: mostCounted }, found.statuses, 'seq')
  return { rows, ...(await countUpTo(db, all.sql, ...all.params)) }
}

/** Returns a page of tasks in order of creation. */
export const page = async (db: Db, filter: ListFilter): Promise<ListRow[]> =>
  pageOf(db, filter, (await statusesIn(db, filter)).statuses)

/** Returns the wanted statuses that any task has, and how many tasks have them. */
const statusesIn = async (
  db: Db,
  { status, open, root }: ListFilter,
): Promise<{ statuses: Status[]; total: number }> => {
  const counts = await countEach(db, root)
  const found: Status[] = []
  let total = 0
  for (const each of status ? [status] : open ? openOnes : statuses) {
    const n = counts.get(each) ?? 0
    if (n > 0) found.push(each)
    total += n
  }
  return { statuses: found, total }
}

const pageOf = async (db: Db, filter: ListFilter, found: readonly Status[]): Promise<ListRow[]> => {
  if (found.length === 0) return []
  const { sql, params } = matching(filter, found, `seq, parent, children, ${lineColumns}`)
  return db.all<ListRow>(`${sql} ORDER BY seq LIMIT ?`, ...params, filter.limit)
}

/**
 * Selects the first matching tasks of each status, at most `limit` of each, as one run per status. An index that ends
 * in (status, seq) has each run in order of creation, so the database reads no more than a page of each run and then
 * merges the runs. With one condition on several statuses, it would sort all matching tasks instead.
 */
const matching = (filter: ListFilter, found: readonly Status[], columns: string): Where => {
  if (filter.label !== undefined) return labelled(filter, filter.label, found, columns)
  const others = conditions(filter, 'seq')
  const runs: string[] = []
  const params: Param[] = []
  for (const status of found) {
    runs.push(
      `SELECT * FROM (SELECT ${columns} FROM tasks WHERE status = '${status}'${others.sql} ORDER BY seq LIMIT ?) AS ${status}_run`,
    )
    params.push(...others.params, filter.limit)
  }
  return { sql: runs.join(' UNION ALL '), params }
}

// One run is enough: the index on labels is in order of creation for all statuses. CROSS JOIN makes SQLite read this
// index first.
const labelled = (filter: ListFilter, label: string, found: readonly Status[], columns: string): Where => {
  const order = 'CAST(substr(labels.task, 2) AS BIGINT)'
  const others = conditions(filter, order)
  return {
    sql: `SELECT * FROM (SELECT ${columns} FROM labels CROSS JOIN tasks
      WHERE label = ? AND tasks.seq = ${order} AND status IN ('${found.join("', '")}')${others.sql} ORDER BY ${order} LIMIT ?) AS run`,
    params: [label, ...others.params, filter.limit],
  }
}

/** Values that the indexes on these columns leave out, because most tasks have them. */
const usual = { type: 'task', priority: 2, size: 'medium' } as const

const conditions = (filter: ListFilter, number: string): Where => {
  let sql = filter.top ? ' AND parent IS NULL' : ''
  const params: Param[] = []
  for (const column of ['root', 'parent'] as const) {
    const value = filter[column]
    if (value === undefined) continue
    sql += ` AND ${column} = ?`
    params.push(value)
  }
  for (const column of ['type', 'priority', 'size'] as const) {
    const value = filter[column]
    if (value === undefined) continue
    // A database uses a partial index only if the query repeats the index's condition.
    const other = column === 'priority' ? usual.priority : `'${usual[column]}'`
    sql += ` AND ${column} = ?${value === usual[column] ? '' : ` AND ${column} <> ${other}`}`
    params.push(value)
  }
  if (filter.after !== undefined) {
    sql += ` AND ${number} > ?`
    params.push(filter.after)
  }
  return { sql, params }
}
