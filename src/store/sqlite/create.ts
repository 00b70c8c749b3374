import { DatabaseSync } from 'node:sqlite'
import * as disk from '../../host/node-database-files.ts'
import { checkVersion } from './check-file.ts'
import { explain } from './errors.ts'
import { migrate } from './migrate.ts'

/**
 * Creates an empty database. The file is built under another name and then linked into place, so that neither a crash
 * nor a second `cleo init` leaves an incomplete database.
 */
export const createSqlite = (path: string, unique: string): void => {
  const draft = `${path}.${unique}`
  try {
    const database = new DatabaseSync(draft)
    try {
      disk.makePrivate(draft)
      checkVersion(database)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      migrate(database, draft)
    } finally {
      database.close()
    }
    disk.link(draft, path)
  } catch (error) {
    if (!disk.isNameTaken(error)) throw explain(error, path)
  } finally {
    disk.removeDatabase(draft)
  }
}
