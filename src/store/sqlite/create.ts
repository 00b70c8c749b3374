import { DatabaseSync } from 'node:sqlite'
import * as disk from '../../host/node-database-files.ts'
import { checkVersion } from './check-file.ts'
import { explain } from './errors.ts'
import { migrate } from './migrate.ts'
import { mark, markedIds, newId } from './project-id.ts'

/**
 * Creates an empty database under another name and links it into place afterwards. So a crash or a second `cleo init`
 * leaves no incomplete database at `path`. The database gets the project id of the folder or, if the folder has none, a
 * new id.
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
    // Record the id first. If CLEO crashes right after the database got its final name, the next command still knows
    // the database.
    made?.(id)
    disk.link(draft, path)
    mark(path, id)
  } catch (error) {
    if (!disk.isNameTaken(error)) throw explain(error, path)
  } finally {
    disk.removeDatabase(draft)
  }
}
