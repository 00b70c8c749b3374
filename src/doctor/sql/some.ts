import type { Db } from '../../store/port.ts'

/** Some of what was found, and how much there is of it. */
export interface Some<T> {
  rows: T[]
  total: number
}

/** One statement: whoever writes meanwhile is seen whole or not at all. */
export const some = async <T>(db: Db, sql: string, limit: number): Promise<Some<T>> => {
  const rows = await db.all<T & { total: number }>(
    `SELECT found.*, count(*) OVER () AS total FROM (${sql}) AS found LIMIT ?`,
    limit,
  )
  return { rows, total: Number(rows[0]?.total ?? 0) }
}
