import type { Param } from './columns/column.ts'

export type { Param }

/** The kinds of text in the search index of `putTexts`. Tasks have a search index of their own. */
export type TextKind = 'entry' | 'memory'

export interface Text {
  kind: TextKind
  ref: string
  words: string
}

export interface SearchWord {
  word: string
  /** True to leave out longer words that begin with this one. */
  whole?: boolean
}

/** A database connection. Use only SQL that SQLite and PostgreSQL both understand. */
export interface Db {
  get<T>(sql: string, ...params: Param[]): Promise<T | undefined>
  all<T>(sql: string, ...params: Param[]): Promise<T[]>
  /** Returns the number of changed rows. */
  run(sql: string, ...params: Param[]): Promise<number>
  /** The current time in milliseconds, from the clock that decides when leases expire. */
  now(): Promise<number>
  readonly dialect: Dialect
}

export interface Store extends Db {
  /**
   * Runs `work` in a transaction; an exception rolls the transaction back. Transactions run one at a time. `work`
   * may await only the database. After a lost connection, the store can run `work` again from the start. So `work`
   * must not add to variables outside `work`.
   */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work` with a store in which all reads see one state: the state at the first read. A transaction in `work`
   * ends this snapshot, and the next read begins a new one. Other calls on this connection wait until `work` ends.
   * After a lost connection, the store can run `work` again, as in `tx`.
   */
  snapshot<T>(work: (store: Store) => Promise<T>): Promise<T>
  /** The path or address to show to people. */
  readonly where: string
  /**
   * Set if this connection can only read; the value names the problem with the disk. If it is set, do not open a second
   * connection: on a full disk, the first connection keeps the database locked, so the second one would wait and fail.
   */
  readonly onlyReads?: 'store.full' | 'store.quota' | 'store.disk_readonly'
  /** The project id in the database file: null if the file has no id yet, undefined for a PostgreSQL server. */
  readonly project?: string | null
  close(): Promise<void>
}

/** The SQL that differs between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** SQL that yields (seq, rank) of matching tasks; a lower rank is a better match. One parameter: `allWords(...)`. */
  readonly fullText: string
  /** SQL that yields the seq of matching tasks. One parameter: `allWords(...)`. */
  readonly matches: string
  splitWords(text: string): string[]
  /** Returns a query for texts that contain all of these words. */
  allWords(words: readonly SearchWord[]): string
  /**
   * SQL that yields (ref, rank) of entries or memories that match. Parameters: `allWords(...)` and the kind of text.
   */
  readonly textHits: string
  putTexts(db: Db, texts: readonly Text[]): Promise<void>
  /** SQL that yields `StoreStatus` in one row. */
  readonly status: string
  /** Updates the full-text index of tasks. Missing if triggers of the database update it. */
  indexText?(db: Db, tasks: readonly { id: string; title: string; description: string }[]): Promise<void>
  /**
   * Called after rows were copied with their numbers, so that the database does not give these numbers to new rows.
   */
  afterCopy?(db: Db): Promise<void>
  /** Seals a store whose data has moved: processes that still have it open can no longer write to it. */
  seal(db: Db, stamp: string): Promise<void>
}

export interface StoreStatus {
  /** Version of the database server or library. */
  version: string
  schema: number
  bytes: number
}

/** Returns placeholders for a list: `?, ?, ?`. */
export const marks = (count: number): string => '?, '.repeat(count).slice(0, -2)

/** Splits a list, because SQLite and PostgreSQL limit the number of parameters of a query. */
export const portions = <T>(items: readonly T[], size = 500): T[][] => {
  const out: T[][] = []
  for (let i = 0; i < items.length; i += size) out.push(items.slice(i, i + size))
  return out
}

export const insertRows = async (db: Db, table: string, rows: readonly object[]): Promise<void> => {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const one = `(${marks(columns.length)}), `
  for (const some of portions(rows, Math.ceil(5000 / columns.length))) {
    const params: Param[] = []
    for (const row of some) for (const column of columns) params.push((row as Record<string, Param>)[column]!)
    const values = one.repeat(some.length).slice(0, -2)
    await db.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`, ...params)
  }
}
