import type { Db, Param } from './port.ts'

/**
 * Rows are counted only up to this number if no count is stored, because counting all rows could take longer than the
 * rest of the command.
 */
export const mostCounted = 1000

export interface Total {
  total: number
  /** True if there might be more rows than `total`. */
  atLeast?: true
}

export const countUpTo = async (db: Db, rows: string, ...params: Param[]): Promise<Total> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${rows} LIMIT ${mostCounted}) AS counted`,
    ...params,
  )
  return totalOf(row!.n, mostCounted)
}

/**
 * Counts rows that an index finds; stops at `most`. The parameter `from` is the part of a query that begins with the
 * word FROM. First looks for the row at position `most`, and counts only if there is no such row: this takes a third of
 * the time of `countUpTo`. If no index finds the rows, use `countUpTo`, because this query would search the table
 * twice.
 */
export const countIndexed = async (
  db: Db,
  from: string,
  params: readonly Param[],
  most = mostCounted,
): Promise<Total> => {
  const row = await db.get<{ n: number }>(
    `SELECT CASE WHEN (SELECT 1 ${from} LIMIT 1 OFFSET ${most - 1}) IS NULL
       THEN (SELECT count(*) ${from}) ELSE ${most} END AS n`,
    ...params,
    ...params,
  )
  return totalOf(row!.n, most)
}

const totalOf = (count: number, most: number): Total => {
  const total = Number(count)
  return total < most ? { total } : { total, atLeast: true }
}
