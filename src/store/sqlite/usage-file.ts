import { DatabaseSync } from 'node:sqlite'
import { refuseOwnLinks } from '../../host/node-own-links.ts'
import { explain } from './errors.ts'
import { fileAddress } from './file-address.ts'

/** What an operation has printed in a session. */
export interface PrintedTokens {
  operation: string
  calls: number
  tokens: number
}

export interface UsageFile {
  all(): PrintedTokens[]
  add(operation: string, tokens: number): void
  close(): void
}

const waitMs = 1000

/**
 * Opens the file that counts the tokens a session has printed. Uses SQLite, because appending a line would need
 * `node:fs`, and loading that takes longer than the rest of a short command. Commands that run at the same time wait
 * for each other, and the file does not grow with the number of calls. Nothing is synced to disk, because a lost count
 * does no harm.
 */
export const openUsageFile = (path: string): UsageFile => {
  const database = new DatabaseSync(fileAddress(path, 'mode=rw'), { timeout: waitMs })
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw explain(error, path)
    }
  }
  // SQLite has already resolved the links of the path, so `lstat` is needed only if SQLite found a link.
  const { file } = database.prepare('PRAGMA database_list').get() as { file: string }
  if (file !== path) refuseOwnLinks(path)
  database.exec('PRAGMA synchronous = OFF')
  return {
    all: () =>
      guarded(() =>
        database.prepare('SELECT operation, calls, tokens FROM printed').all(),
      ) as unknown as PrintedTokens[],
    add: (operation, tokens) => guarded(() => database.prepare(addition).run(operation, tokens)),
    close: () => database.close(),
  }
}

const addition = `INSERT INTO printed (operation, calls, tokens) VALUES (?, 1, ?)
  ON CONFLICT DO UPDATE SET calls = calls + 1, tokens = tokens + excluded.tokens`

/** Makes the table in a file that exists and may be empty. */
export const fillUsageFile = (path: string): void => {
  const database = new DatabaseSync(path, { timeout: waitMs })
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS printed (operation TEXT PRIMARY KEY, calls INTEGER, tokens INTEGER) WITHOUT ROWID, STRICT',
    )
  } finally {
    database.close()
  }
}
