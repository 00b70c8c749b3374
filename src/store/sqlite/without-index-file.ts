import { DatabaseSync } from 'node:sqlite'
import { stat } from '../../host/node-database-files.ts'
import { schemaVersion } from '../generated/schema-version.ts'
import { checkFile, checkVersion } from './check-file.ts'
import { fileAddress } from './file-address.ts'

const lockMs = 15_000

/**
 * Connects to a database whose disk has no room for the index of the log (`-shm`). With an exclusive lock SQLite keeps
 * that index in memory, so everything that was committed can be read. A read-only disk cannot change, so there the
 * file is read as it is, without the log beside it. Returns undefined if the database cannot be read.
 */
export const connectWithoutIndexFile = (
  path: string,
  where: 'full disk' | 'read-only disk',
): DatabaseSync | undefined => {
  const isFull = where === 'full disk'
  if (!isFull && stat(`${path}-wal`)?.size) return undefined
  const database = new DatabaseSync(fileAddress(path, isFull ? 'mode=rw' : 'mode=ro&immutable=1'), {
    timeout: lockMs,
  })
  try {
    if (isFull) database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL')
    database.exec('PRAGMA trusted_schema = OFF')
    checkVersion(database)
    // An older schema would have to be migrated first, which needs disk space.
    if (checkFile(database, path) === schemaVersion) return database
  } catch {
    // Ignored, because the caller reports the first error, which names the problem with the disk.
  }
  database.close()
  return undefined
}
