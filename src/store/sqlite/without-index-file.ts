import { DatabaseSync } from 'node:sqlite'
import { stat } from '../../host/node-database-files.ts'
import { schemaVersion } from '../generated/schema-version.ts'
import { checkFile, checkVersion } from './check-file.ts'
import { isBusy } from './errors.ts'
import { fileAddress } from './file-address.ts'

/** In milliseconds: how long one try waits for the lock, and how long tries are repeated. */
const tryMs = 100
const lockMs = 15_000

/**
 * Connects to a database on a disk where SQLite cannot create the index of the log (`-shm`). On a full disk, an
 * exclusive lock makes SQLite keep the index in memory, so all commits can be read. On a read-only disk, the database
 * is opened as a file that never changes. SQLite needs no index for such a file, but does not read its log. Returns
 * undefined if the log on a read-only disk has data, or if reading fails.
 */
export const connectWithoutIndexFile = async (
  path: string,
  isFull: boolean,
  now: () => number,
): Promise<DatabaseSync | undefined> => {
  if (!isFull && stat(`${path}-wal`)?.size) return undefined
  const giveUp = now() + lockMs
  for (;;) {
    const found = tryToConnect(path, isFull)
    if (found !== 'busy') return found
    if (now() > giveUp) return undefined
    // A failed try closes its connection. Otherwise two processes that each keep a shared lock and want the exclusive
    // lock would wait for each other. The pause depends on the time, so that they do not try again at the same moment.
    await new Promise((resolve) => setTimeout(resolve, 1 + (now() % 37)))
  }
}

const tryToConnect = (path: string, isFull: boolean): DatabaseSync | undefined | 'busy' => {
  const database = new DatabaseSync(fileAddress(path, isFull ? 'mode=rw' : 'mode=ro&immutable=1'), {
    timeout: tryMs,
  })
  let busy = false
  try {
    if (isFull) database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL')
    database.exec('PRAGMA trusted_schema = OFF')
    checkVersion(database)
    // A database with an older schema is not returned: it would have to be migrated, which needs disk space.
    if (checkFile(database, path) === schemaVersion) return database
  } catch (error) {
    // Any other error is ignored: the caller reports its first error, which names the problem with the disk.
    busy = isBusy(error)
  }
  database.close()
  return busy ? 'busy' : undefined
}
