import { chmodSync, linkSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { checkVersion } from './checks.ts'
import { explain } from './errors.ts'
import { migrate } from './migrate.ts'

/**
 * Makes a new, empty database. It is built under another name and linked into place whole, so that neither a
 * crash nor a second `cleo init` ever leaves half of one.
 */
export const createSqlite = (path: string, unique: string): void => {
  const draft = `${path}.${unique}`
  try {
    const database = new DatabaseSync(draft)
    try {
      chmodSync(draft, 0o600)
      checkVersion(database)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      migrate(database, draft)
    } finally {
      database.close()
    }
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explain(error, path)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}
