import { DatabaseSync } from 'node:sqlite'
import * as disk from '../../host/node-database-files.ts'
import { checkVersion } from './check-file.ts'
import { explain } from './errors.ts'
import { migrate } from './migrate.ts'
import { mark, markedIds, newId } from './project-id.ts'

/**
 * Creates an empty database. It is built under another name and then linked into place, so that neither a crash nor a
 * second `cleo init` leaves an incomplete database. The database gets the project id that the folder already has, or a
 * new one.
 */
export const createSqlite = (path: string, unique: string, made?: (id: string) => void): void => {
  const draft = `${path}.${unique}`
  const known = markedIds(path)[0] ?? null
  let id: string
  try {
    const database = new DatabaseSync(draft)
    try {
      disk.makePrivate(draft)
      checkVersion(database)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      migrate(database, draft)
      const given = database.prepare(`INSERT INTO project (id) VALUES (coalesce(?, ${newId})) RETURNING id`)
      id = (given.get(known) as { id: string }).id
    } finally {
      database.close()
    }
    // Record the id before the database gets its final name. If CLEO crashes after that, the next command knows the
    // database.
    made?.(id)
    disk.link(draft, path)
    mark(path, id)
  } catch (error) {
    if (!disk.isNameTaken(error)) throw explain(error, path)
  } finally {
    disk.removeDatabase(draft)
  }
}
