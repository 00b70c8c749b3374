import { type Size, type Status, statuses, type TaskType } from '../../kernel/task.ts'
import { countUpTo, type Total } from '../../store/count-up-to.ts'
import type { Db, Param } from '../../store/port.ts'
import { type LineRow, lineColumns, type TaskRow } from '../../store/rows.ts'
import { openOnes, totalOf } from './counts.ts'

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
  const rows = await page(db, filter)
  const { type, parent, label, priority, size, after, limit } = filter
  if ((type ?? parent ?? label ?? priority ?? size) === undefined)
    return { rows, total: await totalOf(db, statusesOf(filter), filter.root) }
  if (after === undefined && rows.length < limit) return { rows, total: rows.length }
  const all = matching({ ...filter, after: undefined }, '1')
  return { rows, ...(await countUpTo(db, all.sql, ...all.params)) }
}

/** Returns a page of tasks in order of creation. */
export const page = (db: Db, filter: ListFilter): Promise<ListRow[]> => {
  const { sql, params, order } = matching(filter, `seq, parent, children, ${lineColumns}`)
  return db.all<ListRow>(`${sql} ORDER BY ${order} LIMIT ?`, ...params, filter.limit)
}

const statusesOf = ({ status, open }: ListFilter): readonly Status[] =>
  status ? [status] : open ? openOnes : statuses

interface Matching {
  sql: string
  params: Param[]
  /** The order of creation, as the index has it. */
  order: string
}

/**
 * The matching tasks as one run of rows per status. Each run is in order of creation by an index that ends in
 * (status, seq), so the database merges the runs and stops at the end of the page. A single condition on several
 * statuses would make it sort all matching tasks instead.
 */
const matching = (filter: ListFilter, columns: string): Matching => {
  if (filter.label !== undefined) return labelled(filter, filter.label, columns)
  const others = conditions(filter, 'seq')
  const runs: string[] = []
  const params: Param[] = []
  for (const status of statusesOf(filter)) {
    runs.push(`SELECT ${columns} FROM tasks WHERE status = '${status}'${others.sql}`)
    params.push(...others.params)
  }
  return { sql: runs.join(' UNION ALL '), params, order: 'seq' }
}

// The index on labels is in order of creation for all statuses. CROSS JOIN makes SQLite read it first.
const labelled = (filter: ListFilter, label: string, columns: string): Matching => {
  const order = 'CAST(substr(labels.task, 2) AS BIGINT)'
  const others = conditions(filter, order)
  const wanted = statusesOf(filter).join("', '")
  return {
    sql: `SELECT ${columns} FROM labels CROSS JOIN tasks
      WHERE label = ? AND tasks.seq = ${order} AND status IN ('${wanted}')${others.sql}`,
    params: [label, ...others.params],
    order,
  }
}

/** Values that the indexes on these columns leave out, because most tasks have them. */
const usual = { type: "'task'", priority: '2', size: "'medium'" }

const conditions = (filter: ListFilter, number: string): { sql: string; params: Param[] } => {
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
    const isUsual = `'${value}'` === usual[column] || String(value) === usual[column]
    sql += ` AND ${column} = ?${isUsual ? '' : ` AND ${column} <> ${usual[column]}`}`
    params.push(value)
  }
  if (filter.after !== undefined) {
    sql += ` AND ${number} > ?`
    params.push(filter.after)
  }
  return { sql, params }
}
