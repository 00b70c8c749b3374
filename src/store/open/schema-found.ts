import type { Db } from '../port.ts'

/** Returns the current schema version of the database: while a server runs, a newer CLEO may migrate it. */
export const schemaFound = async (db: Db): Promise<number | undefined> =>
  db.dialect.name === 'sqlite'
    ? (await db.get<{ user_version: number }>('PRAGMA user_version'))?.user_version
    : (await db.get<{ version: number }>('SELECT max(version) AS version FROM schema_version'))?.version
