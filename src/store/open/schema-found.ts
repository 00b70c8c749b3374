import type { Db } from '../port.ts'

/**
 * Reads the schema version from the database each time, because a newer CLEO can migrate the database while a
 * connection is open. The MCP server and programs that use CLEO as a library keep their connections open.
 */
export const schemaFound = async (db: Db): Promise<number | undefined> =>
  db.dialect.name === 'sqlite'
    ? (await db.get<{ user_version: number }>('PRAGMA user_version'))?.user_version
    : (await db.get<{ version: number }>('SELECT max(version) AS version FROM schema_version'))?.version
