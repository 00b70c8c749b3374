import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { stat } from '../../host/node-database-files.ts'
import { refuseOwnLinks } from '../../host/node-own-links.ts'
import { Refused, refuse } from '../../kernel/result.ts'
import { schemaVersion } from '../generated/schema-version.ts'
import type { Db, Param, Store } from '../port.ts'
import { checkFile, checkVersion, projectOf } from './check-file.ts'
import { sqliteDialect } from './dialect.ts'
import { explain, isBusy } from './errors.ts'
import { fileAddress } from './file-address.ts'
import { isProjectId } from './project-mark.ts'

export interface OpenOptions {
  now(): number
  /** Returns the size of a file quickly; 0 if there is no file. */
  size?(path: string): number
  /**
   * How a writer waits for a lock: `block` for a command, `retry` for a long-lived process whose event loop must stay
   * free.
   */
  wait: 'block' | 'retry'
  readOnly?: boolean
  /** True to refuse the database of another project. */
  ofProject?: boolean
  /** Can refuse a database because of the project id in it. Called before the database is migrated or used. */
  admit?(id: string | undefined): Promise<void> | undefined
}

/**
 * Settings for large batches. Without `temp_store`, SQLite keeps a copy of every changed page in a temporary file:
 * 600 MB for 100,000 rows. Without `cache_size`, it writes 84,000 pages into the log instead of 54,000.
 */
const writeSettings = 'PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000;'
const beginWrite = 'BEGIN IMMEDIATE'

const lockSeconds = 15
const shortTimeout = 25

/** Opens an existing database. Refuses a missing file, a damaged file, and a file of another program or newer CLEO. */
export const openSqlite = async (path: string, options: OpenOptions): Promise<Store> => {
  // Check the size before opening the file. SQLite deletes the log of an empty file, and that log can contain the
  // data.
  if (!options.size?.(path)) refuseEmpty(path)
  try {
    const { database, project } = await openDatabase(path, options)
    return overDatabase(database, path, { ...options, project })
  } catch (error) {
    const reader = options.wait === 'block' ? await openToRead(path, error, options) : undefined
    if (!reader) throw error
    const project = checkVersion(reader.database, true)
    return { ...overDatabase(reader.database, path, { ...options, project }), onlyReads: reader.why }
  }
}

const openDatabase = async (
  path: string,
  options: OpenOptions,
): Promise<{ database: DatabaseSync; project: string | null | undefined }> => {
  const database = options.wait === 'block' ? connect(path, options) : await connectWhenFree(path, options)
  try {
    const found = checkFile(database, path)
    if (found < schemaVersion) {
      checkVersion(database)
      const id = projectOf(database, found)
      if (options.ofProject) (await import('./project-id.ts')).refuseOther(path, id)
      await options.admit?.(id)
      const { migrate } = await import('./migrate.ts')
      migrate(database, path)
    }
    const project = checkVersion(database, true)
    if (typeof project === 'string' && !isProjectId(project))
      refuse('store.corrupt', { path, reason: 'its project id is invalid' })
    if (found === schemaVersion) await options.admit?.(project ?? undefined)
    return { database, project }
  } catch (error) {
    closeWithoutCheckpoint(database, path)
    throw explain(error, path)
  }
}

/**
 * Called if a database could not be opened for writing; `error` is the reason. If the disk is full or read-only, opens
 * the database for reading only. Returns undefined for any other reason, or if reading fails as well. Call this only in
 * a process that runs a single command, because other processes might have to wait until the database is closed.
 */
const openToRead = async (path: string, error: unknown, { now }: OpenOptions) => {
  const why = error instanceof Refused ? error.failure.code : undefined
  if (why !== 'store.full' && why !== 'store.quota' && why !== 'store.disk_readonly') return undefined
  const { connectWithoutIndexFile } = await import('./without-index-file.ts')
  const database = await connectWithoutIndexFile(path, why !== 'store.disk_readonly', now)
  return database && { database, why }
}

/**
 * Returns how many milliseconds to wait before the next attempt. Uses no `Math`: the first call of a function that
 * mentions `Math` makes the engine create all 35 functions of `Math`, even if none of them is called.
 */
const longerPause = (pause: number): number => (pause < 50 ? pause * 2 : 100)

/** Retries while the file is locked. After a process was killed, the next process locks the file to recover the log. */
const connectWhenFree = async (path: string, options: OpenOptions): Promise<DatabaseSync> => {
  let giveUp: number | undefined
  for (let pause = 1; ; pause = longerPause(pause)) {
    try {
      return connect(path, options)
    } catch (error) {
      giveUp ??= options.now() + lockSeconds * 1000
      const busy = error instanceof Refused && error.failure.code === 'store.busy'
      if (!busy || options.now() > giveUp) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

export const refuseEmpty = (path: string): void => {
  refuseOwnLinks(path)
  const size = stat(path)?.size
  if (size === undefined) refuse('store.missing', { path })
  if (size === 0) refuse('store.corrupt', { path, reason: 'it is empty' })
}

export const connect = (
  path: string,
  { wait, readOnly }: Omit<OpenOptions, 'now' | 'size'>,
): DatabaseSync => {
  const mode = readOnly ? 'ro' : 'rw'
  const address = fileAddress(path, `mode=${mode}`)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(address, {
      timeout: wait === 'block' ? lockSeconds * 1000 : shortTimeout,
    })
    refuseLinked(database, path)
    database.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0')
    return database
  } catch (error) {
    database?.close()
    throw explain(error, path)
  }
}

/**
 * Refuses a database that is reached through a link in `.cleo`. Call this before SQLite reads the database or makes
 * files in its folder. SQLite reports the path with all links resolved. So `.cleo` is searched only if that path
 * differs from the given path. The log needs no check, because SQLite never follows a link to its log.
 */
const refuseLinked = (database: DatabaseSync, path: string): void => {
  const { file } = database.prepare('PRAGMA database_list').get() as { file: string }
  if (file !== path) refuseOwnLinks(path)
}

/**
 * Closes a connection but keeps the write-ahead log. When the last connection closes, SQLite moves the log into the
 * database, unless that connection is read-only. So this function opens a read-only connection and closes it last.
 */
export const closeWithoutCheckpoint = (database: DatabaseSync, path: string): void => {
  if (!stat(`${path}-wal`)?.size) return database.close()
  let reader: DatabaseSync | undefined
  try {
    reader = connect(path, { wait: 'retry', readOnly: true })
    reader.prepare('PRAGMA user_version').get()
  } catch {
    // The file cannot be read as a database, so there is no log to keep.
  }
  database.close()
  reader?.close()
}

interface OpenedOptions extends OpenOptions {
  project: string | null | undefined
}

const overDatabase = (database: DatabaseSync, path: string, { now, wait, project }: OpenedOptions): Store => {
  // This is an object and not a `Map`. For the first entry of a `Map`, the engine allocates a block of heap. With an
  // object, most commands that only read need no such block.
  const statements = Object.create(null) as Record<string, StatementSync>
  /** True inside a snapshot. Its first read begins a transaction, and all its later reads use this transaction. */
  let inSnapshot = false
  const prepared = (sql: string): StatementSync => {
    if (inSnapshot && !database.isTransaction) database.exec('BEGIN')
    const known = statements[sql]
    if (known) return known
    const statement = database.prepare(sql)
    statements[sql] = statement
    return statement
  }
  const direct: Db = {
    dialect: sqliteDialect,
    now: async () => now(),
    get: async <T>(sql: string, ...params: Param[]) => {
      try {
        return prepared(sql).get(...params) as T | undefined
      } catch (error) {
        throw explain(error, path)
      }
    },
    all: async <T>(sql: string, ...params: Param[]) => {
      try {
        return prepared(sql).all(...params) as T[]
      } catch (error) {
        throw explain(error, path)
      }
    },
    run: async (sql, ...params) => {
      try {
        return Number(prepared(sql).run(...params).changes)
      } catch (error) {
        throw explain(error, path)
      }
    },
  }
  const exec = (sql: string): void => {
    try {
      database.exec(sql)
    } catch (error) {
      throw explain(error, path)
    }
  }

  // Queues transactions, so that this connection runs one at a time and no read runs inside another caller's
  // transaction.
  let last: Promise<unknown> | undefined
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last ? last.then(work) : work()
    const mine = result
      .catch(() => undefined)
      .then(() => {
        if (last === mine) last = undefined
      })
    last = mine
    return result
  }
  const read = <T>(work: () => Promise<T>): Promise<T> => (last ? queued(work) : work())

  let isSet = false
  const begin = async (): Promise<void> => {
    if (!isSet) exec(writeSettings)
    isSet = true
    if (wait === 'block') return exec(beginWrite)
    const giveUp = now() + lockSeconds * 1000
    for (let pause = 1; ; pause = longerPause(pause)) {
      try {
        return database.exec(beginWrite)
      } catch (error) {
        if (!isBusy(error) || now() > giveUp) throw explain(error, path)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }

  const transact = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    await begin()
    try {
      const result = await work(direct)
      exec('COMMIT')
      return result
    } catch (error) {
      // A failed COMMIT can already have rolled back the transaction.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  // The transaction of a snapshot only reads, so no writer waits for it. Without the transaction, every read would make
  // two more calls, to lock and unlock the file.
  const snapshot = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const within: Store = {
      ...store,
      get: direct.get,
      all: direct.all,
      run: (sql, ...params) => within.tx((db) => db.run(sql, ...params)),
      tx: async (change) => {
        if (database.isTransaction) exec('COMMIT')
        return transact(change)
      },
      snapshot: (inner) => inner(within),
    }
    inSnapshot = true
    try {
      return await work(within)
    } finally {
      inSnapshot = false
      if (database.isTransaction) exec('COMMIT')
    }
  }

  const store: Store = {
    where: path,
    project,
    dialect: sqliteDialect,
    now: direct.now,
    get: (sql, ...params) => read(() => direct.get(sql, ...params)),
    all: (sql, ...params) => read(() => direct.all(sql, ...params)),
    run: (sql, ...params) => queued(() => direct.run(sql, ...params)),
    tx: (work) => queued(() => transact(work)),
    snapshot: (work) => queued(() => snapshot(work)),
    close: () => queued(async () => void (database.isOpen && database.close())),
  }
  return store
}
