import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../generated/migrations.ts'
import type { Db } from '../port.ts'
import { checkFile } from './checks.ts'
import { explain } from './errors.ts'
import { closeUntouched, connect, refuseNothing } from './open.ts'

/** Asks a file something, and leaves it and its log as they are; what is no database of ours is refused. */
const peek = async <T>(path: string, ask: (database: DatabaseSync) => T): Promise<T> => {
  refuseNothing(path)
  const database = connect(path, { wait: 'block' })
  try {
    return ask(database)
  } catch (error) {
    throw explain(error, path)
  } finally {
    closeUntouched(database, path)
  }
}

/** The schema version of a file, without bringing it up to date. */
export const peekSchema = (path: string): Promise<number> =>
  peek(path, (database) => checkFile(database, path))

/** How many tasks a file holds that is not in use. */
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

export interface Odd extends Part {
  /** It is there, but not as CLEO makes it. */
  differs: boolean
}

const parts =
  'SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> \'view\' ORDER BY name'

/** Tables, indexes and triggers that are missing, or not the ones CLEO makes. What somebody added is theirs. */
export const oddParts = async (db: Db): Promise<Odd[]> => {
  const found = new Map((await db.all<Part>(parts)).map((part) => [part.name, part]))
  const odd = wantedParts().flatMap((part) => {
    const there = found.get(part.name)
    return there?.sql === part.sql ? [] : [{ ...part, differs: there !== undefined }]
  })
  // What belongs to a table goes with it.
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

/** An index or a trigger holds nothing of its own: it can be made again. */
export const canRemake = ({ type, differs }: Odd): boolean => type !== 'table' && !differs

export const remake = async (db: Db, { sql }: Odd): Promise<void> => {
  await db.run(sql)
}

/** What SQLite finds wrong with the file itself; the index of words has a check of its own. */
export const damage = async (db: Db, most: number): Promise<string[]> => {
  const rows = await db.all<{ integrity_check: string }>(`PRAGMA integrity_check(${most})`)
  return rows.map((row) => row.integrity_check).filter((said) => said !== 'ok' && !/fts5/i.test(said))
}
