import type { Db, Param } from '../../store/port.ts'

/** The first rows of a query, and the total number of its rows. */
export interface LimitedRows<T> {
  rows: T[]
  total: number
}

/** Uses one statement, so that the rows and the total come from the same snapshot. */
export const firstRows = async <T>(
  db: Db,
  sql: string,
  limit: number,
  ...params: Param[]
): Promise<LimitedRows<T>> => {
  const rows = await db.all<T & { total: number }>(
    `SELECT found.*, count(*) OVER () AS total FROM (${sql}) AS found LIMIT ?`,
    ...params,
    limit,
  )
  return { rows, total: Number(rows[0]?.total ?? 0) }
}
