import { type Size, type Status, statuses, type TaskType } from '../../kernel/task.ts'
import { countUpTo, mostCounted, type Total } from '../../store/count-up-to.ts'
import type { Db, Param } from '../../store/port.ts'
import { type LineRow, lineColumns, type TaskRow } from '../../store/rows.ts'
import type { Where } from '../../store/where.ts'
import { countEach, openOnes } from './counts.ts'

export interface ListFilter {
  statuses?: readonly Status[]
  open?: boolean
  type?: TaskType
  parent?: string
  /** Only tasks without a parent. */
  top?: boolean
  root?: string
  label?: string
  priority?: number
  size?: Size
  ready?: boolean
  /** Only tasks that this actor has claimed. */
  mine?: string
  /** True to list the newest tasks first. */
  newest?: boolean
  /** The number of the last task on the previous page. */
  after?: number
  limit: number
}

export type ListRow = LineRow & Pick<TaskRow, 'seq' | 'parent' | 'children' | 'blockers' | 'attempt_out'>

export const list = async (db: Db, filter: ListFilter): Promise<Total & { rows: ListRow[] }> => {
  const found = await statusesIn(db, filter)
  const rows = await pageOf(db, filter, found.statuses)
  return { rows, ...(await totalOf(db, filter, found, rows.length)) }
}

/**
 * Uses the stored counts if the filter has only statuses and a root. For other filters, the count stops at a thousand.
 */
export const totalOf = async (db: Db, filter: ListFilter, found: Wanted, shown: number): Promise<Total> => {
  const { type, parent, label, priority, size, ready, mine, after, limit } = filter
  if (!ready && (type ?? parent ?? label ?? priority ?? size ?? mine) === undefined)
    return { total: found.total }
  if (after === undefined && shown < limit) return { total: shown }
  const all = matching({ ...filter, after: undefined, limit: mostCounted }, found.statuses, 'seq')
  return countUpTo(db, all.sql, ...all.params)
}

export const page = async (db: Db, filter: ListFilter): Promise<ListRow[]> =>
  pageOf(db, filter, (await statusesIn(db, filter)).statuses)

interface Wanted {
  statuses: Status[]
  total: number
}

/** Returns which of the wanted statuses occur, and how many tasks have one of them. */
export const statusesIn = async (
  db: Db,
  { statuses: wanted, open, root }: Pick<ListFilter, 'statuses' | 'open' | 'root'>,
): Promise<Wanted> => {
  const counts = await countEach(db, root)
  const found: Status[] = []
  let total = 0
  for (const each of wanted ?? (open ? openOnes : statuses)) {
    const n = counts.get(each) ?? 0
    if (n > 0) found.push(each)
    total += n
  }
  return { statuses: found, total }
}

const pageOf = async (db: Db, filter: ListFilter, found: readonly Status[]): Promise<ListRow[]> => {
  if (found.length === 0) return []
  const { sql, params } = matching(
    filter,
    found,
    `seq, parent, children, blockers, attempt_out, ${lineColumns}`,
  )
  return db.all<ListRow>(`${sql} ORDER BY seq${direction(filter)} LIMIT ?`, ...params, filter.limit)
}

/**
 * Selects the first matching tasks of each status, at most `limit` per status. The indexes end in (status, seq). So
 * the database reads at most one page for each status, already in order of creation, and merges the pages. With a
 * single condition on several statuses, the database would sort all matching tasks.
 */
export const matching = (filter: ListFilter, found: readonly Status[], columns: string): Where => {
  if (filter.label !== undefined) return labelled(filter, filter.label, found, columns)
  if (filter.mine !== undefined) return claimed(filter, found, columns)
  const others = conditions(filter, 'seq')
  const runs: string[] = []
  const params: Param[] = []
  for (const status of found) {
    runs.push(
      `SELECT * FROM (SELECT ${columns} FROM tasks WHERE status = '${status}'${others.sql} ORDER BY seq${direction(filter)} LIMIT ?) AS ${status}_run`,
    )
    params.push(...others.params, filter.limit)
  }
  return { sql: runs.join(' UNION ALL '), params }
}

// One query for all statuses is enough, because the index on labels is in order of creation. CROSS JOIN makes SQLite
// read this index first.
const labelled = (filter: ListFilter, label: string, found: readonly Status[], columns: string): Where => {
  const order = 'CAST(substr(labels.task, 2) AS BIGINT)'
  const others = conditions(filter, order)
  return {
    sql: `SELECT * FROM (SELECT ${columns} FROM labels CROSS JOIN tasks
      WHERE label = ? AND tasks.seq = ${order} AND status IN ('${found.join("', '")}')${others.sql} ORDER BY ${order}${direction(filter)} LIMIT ?) AS run`,
    params: [label, ...others.params, filter.limit],
  }
}

// An actor has few claims, so the query should read the claims first. Without `status || ''`, the planner would read
// all tasks by status.
const claimed = (filter: ListFilter, found: readonly Status[], columns: string): Where => {
  const others = conditions(filter, 'seq')
  return {
    sql: `SELECT * FROM (SELECT ${columns} FROM tasks WHERE status || '' IN ('${found.join("', '")}')${others.sql}
      ORDER BY seq${direction(filter)} LIMIT ?) AS run`,
    params: [...others.params, filter.limit],
  }
}

const direction = ({ newest }: ListFilter): string => (newest ? ' DESC' : '')

/** The most common value of each column. The partial index on the column leaves out rows with this value. */
const usual = { type: 'task', priority: 2, size: 'medium' } as const

/** `number` is the expression by which the chosen index is ordered. */
export const conditions = (filter: ListFilter, number: string): Where => {
  let sql = filter.top ? ' AND parent IS NULL' : ''
  if (filter.ready) sql += ' AND blockers = 0 AND children = 0 AND attempt_out = 0'
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
  if (filter.mine !== undefined) {
    sql +=
      " AND tasks.id IN (SELECT claims.task FROM claims WHERE claims.owner = ? AND claims.state = 'held')"
    params.push(filter.mine)
  }
  if (filter.after !== undefined) {
    sql += ` AND ${number} ${filter.newest ? '<' : '>'} ?`
    params.push(filter.after)
  }
  return { sql, params }
}
