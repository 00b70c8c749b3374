import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../generated/migrations.ts'
import type { Db } from '../port.ts'
import { checkFile } from './check-file.ts'
import { explain } from './errors.ts'
import { closeWithoutCheckpoint, connect, refuseEmpty } from './open.ts'

/** Reads from a file and leaves it and its log unchanged; refuses a file that is not a CLEO database. */
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

/** The schema version of a file, without migrating it. */
export const peekSchema = (path: string): Promise<number> =>
  peek(path, (database) => checkFile(database, path))

/** The number of tasks in a file that is not in use. */
export const peekTasks = (path: string): Promise<number> =>
  peek(path, (database) => {
    checkFile(database, path)
    return (database.prepare('SELECT count(*) AS n FROM tasks').get() as { n: number }).n
  })

interface Part {
  type: 'table' | 'index' | 'trigger'
  name: string
  /** The table it belongs to. */
  table: string
  sql: string
}

export interface SchemaDifference extends Part {
  /** It exists, but differs from the one CLEO creates. */
  differs: boolean
}

const parts =
  'SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> \'view\' ORDER BY name'

/** Tables, indexes and triggers that are missing or differ from those CLEO creates. Additional ones are ignored. */
export const schemaDifferences = async (db: Db): Promise<SchemaDifference[]> => {
  const found = new Map((await db.all<Part>(parts)).map((part) => [part.name, part]))
  const odd = wantedParts().flatMap((part) => {
    const there = found.get(part.name)
    return there?.sql === part.sql ? [] : [{ ...part, differs: there !== undefined }]
  })
  // What belongs to a missing table is created with it.
  return odd.filter(({ type, table }) => type === 'table' || found.has(table))
}

const wantedParts = (): Part[] => {
  const database = new DatabaseSync(':memory:')
  try {
    for (const { sql } of migrations.sqlite) database.exec(sql)
    return database.prepare(parts).all() as unknown as Part[]
  } finally {
    database.close()
  }
}

/** An index or a trigger holds no data, so it can be created again. */
export const canRecreate = ({ type, differs }: SchemaDifference): boolean => type !== 'table' && !differs

export const recreate = async (db: Db, { sql }: SchemaDifference): Promise<void> => {
  await db.run(sql)
}

/** What SQLite finds wrong with the file; the full-text index has its own check. */
export const damage = async (db: Db, most: number): Promise<string[]> => {
  const rows = await db.all<{ integrity_check: string }>(`PRAGMA integrity_check(${most})`)
  return rows.map((row) => row.integrity_check).filter((said) => said !== 'ok' && !/fts5/i.test(said))
}
