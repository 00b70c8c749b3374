import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../generated/migrations.ts'
import type { Db } from '../port.ts'
import { checkFile } from './check-file.ts'
import { explain } from './errors.ts'
import { closeWithoutCheckpoint, connect, refuseEmpty } from './open.ts'

/** Reads from a file without changing it or its log; refuses a file that is not a CLEO database. */
const peek = async <T>(path: string, ask: (database: DatabaseSync) => T): Promise<T> => {
  refuseEmpty(path)
  const database = connect(path, { wait: 'block' })
  try {
    return ask(database)
  } catch (error) {
    throw explain(error, path)
  } finally {
    closeWithoutCheckpoint(database, path)
  }
}

/** Does not migrate the file. */
export const peekSchema = (path: string): Promise<number> =>
  peek(path, (database) => checkFile(database, path))

/** Returns the number of tasks in a file that no process uses. */
export const peekTasks = (path: string): Promise<number> =>
  peek(path, (database) => {
    checkFile(database, path)
    return (database.prepare('SELECT count(*) AS n FROM tasks').get() as { n: number }).n
  })

interface Part {
  type: 'table' | 'index' | 'trigger'
  name: string
  /** The table that the index or trigger belongs to; for a table, its own name. */
  table: string
  sql: string
}

export interface SchemaDifference extends Part {
  /** True if the part exists but differs from what CLEO creates; false if it is missing. */
  differs: boolean
}

const parts =
  'SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> \'view\' ORDER BY name'

/** Ignores parts that CLEO does not create. */
export const schemaDifferences = async (db: Db): Promise<SchemaDifference[]> => {
  const found = new Map((await db.all<Part>(parts)).map((part) => [part.name, part]))
  wanted ??= wantedParts()
  const odd = wanted.flatMap((part) => {
    const there = found.get(part.name)
    return there?.sql === part.sql ? [] : [{ ...part, differs: there !== undefined }]
  })
  // The indexes and triggers of a missing table are created together with it, so they are not listed separately.
  return odd.filter(({ type, table }) => type === 'table' || found.has(table))
}

/**
 * The schema that CLEO creates. It is kept in memory, because `cleo doctor --fix` and programs that use the library
 * compare with it more than once.
 */
let wanted: Part[] | undefined

const wantedParts = (): Part[] => {
  const database = new DatabaseSync(':memory:')
  try {
    for (const { sql } of migrations.sqlite) database.exec(sql)
    return database.prepare(parts).all() as unknown as Part[]
  } finally {
    database.close()
  }
}

/** A missing index or trigger can be created again, because it holds no data. */
export const canRecreate = ({ type, differs }: SchemaDifference): boolean => type !== 'table' && !differs

export const recreate = async (db: Db, { sql }: SchemaDifference): Promise<void> => {
  await db.run(sql)
}

/** Leaves out problems of the full-text index, which has its own check. */
export const damage = async (db: Db, most: number): Promise<string[]> => {
  const rows = await db.all<{ integrity_check: string }>(`PRAGMA integrity_check(${most})`)
  return rows.map((row) => row.integrity_check).filter((said) => said !== 'ok' && !/fts5/i.test(said))
}
