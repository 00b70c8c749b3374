import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../generated/migrations.ts'
import type { Db } from '../port.ts'
import { checkFile } from './checks.ts'
import { explain } from './errors.ts'
import { refuseNothing } from './open.ts'

/** The schema version of a file, read without bringing it up to date; what is no database of ours is refused. */
export const peekSchema = async (path: string): Promise<number> => {
  await refuseNothing(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 15_000 })
    return checkFile(database, path)
  } catch (error) {
    throw explain(error, path)
  } finally {
    database?.close()
  }
}

interface Part {
  type: 'table' | 'index' | 'trigger'
  name: string
  sql: string
}

export interface Odd extends Part {
  /** It is there, but not as CLEO makes it. */
  differs: boolean
}

const parts =
  "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'view' ORDER BY name"

/** Tables, indexes and triggers that are missing, or not the ones CLEO makes. What somebody added is theirs. */
export const oddParts = async (db: Db): Promise<Odd[]> => {
  const found = new Map((await db.all<Part>(parts)).map((part) => [part.name, part]))
  return wantedParts().flatMap((part) => {
    const there = found.get(part.name)
    return there?.sql === part.sql ? [] : [{ ...part, differs: there !== undefined }]
  })
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
