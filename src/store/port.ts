import type { Param } from './columns/column.ts'

export type { Param }

/** What has searchable words besides tasks. */
export type TextKind = 'entry' | 'memory'

export interface Text {
  kind: TextKind
  ref: string
  words: string
}

/** What a database can be asked. SQL is written in the subset that SQLite and PostgreSQL share. */
export interface Db {
  get<T>(sql: string, ...params: Param[]): Promise<T | undefined>
  all<T>(sql: string, ...params: Param[]): Promise<T[]>
  /** Answers the number of rows changed. */
  run(sql: string, ...params: Param[]): Promise<number>
  /** The time by which leases are judged, in milliseconds. */
  now(): Promise<number>
  readonly dialect: Dialect
}

export interface Store extends Db {
  /**
   * One transaction, alone; what `work` throws rolls it back. Never await the outside world inside. A store that
   * lost its connection may run `work` again from the start: what it collects, it must collect anew.
   */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** What this store is, for people. */
  readonly where: string
  close(): Promise<void>
}

/** The few places where the two databases speak differently. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** SQL that yields (seq, rank) of tasks matching the words, best first; one parameter: `words(...)`. */
  readonly fullText: string
  words(query: string): string
  /** SQL that yields (ref, rank) of other texts matching the words; parameters: `words(...)` and their kind. */
  readonly textHits: string
  putTexts(db: Db, texts: readonly Text[]): Promise<void>
  /** What to ask for `StoreStatus`, in one row. */
  readonly status: string
  /** Brings the full text of tasks up to date, where the database does not do so by itself. */
  indexText?(db: Db, tasks: readonly { id: string; title: string; description: string }[]): Promise<void>
  /** Sets right what counts by itself, after rows were written with numbers of their own. */
  afterCopy?(db: Db): Promise<void>
  /** Closes a store whose data has moved elsewhere: whoever still has it open cannot write to it any more. */
  seal(db: Db, stamp: string): Promise<void>
}

export interface StoreStatus {
  /** Of the database program. */
  version: string
  schema: number
  bytes: number
}

/** Placeholders for a list: `?, ?, ?`. */
export const marks = (count: number): string => '?, '.repeat(count).slice(0, -2)

/** Lists go in by portions, below the parameter limits of both databases. */
export const portions = <T>(items: readonly T[], size = 500): T[][] => {
  const out: T[][] = []
  for (let i = 0; i < items.length; i += size) out.push(items.slice(i, i + size))
  return out
}

/** Writes many rows of one shape with few statements. */
export const insertRows = async (db: Db, table: string, rows: readonly object[]): Promise<void> => {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const one = `(${marks(columns.length)})`
  for (const some of portions(rows, Math.ceil(5000 / columns.length))) {
    await db.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => one).join(', ')}`,
      ...some.flatMap((row) => columns.map((column) => (row as Record<string, Param>)[column]!)),
    )
  }
}
