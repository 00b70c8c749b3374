import type { Db, Param } from './port.ts'

/**
 * If no count is stored, rows are counted only up to this number. Counting all rows could take longer than the rest of
 * the command.
 */
export const mostCounted = 1000

export interface Total {
  total: number
  /** True if there might be more rows than `total`. */
  atLeast?: true
}

/** Counts the rows of a query; stops at `mostCounted`. */
export const countUpTo = async (db: Db, rows: string, ...params: Param[]): Promise<Total> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${rows} LIMIT ${mostCounted}) AS counted`,
    ...params,
  )
  const total = Number(row!.n)
  return total < mostCounted ? { total } : { total, atLeast: true }
}
