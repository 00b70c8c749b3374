import { Client, types } from 'pg'
import { whyUnreadable } from '../../host/node-database-files.ts'
import { fail, Refused, refuse } from '../../kernel/result.ts'
import type { Db, Param, Store } from '../port.ts'
import { addressProblem, connectionOf, keyFiles, schemaOf, shownAddress } from './address.ts'
import { postgresDialect } from './dialect.ts'
import { connectionError, explain, isLost } from './errors.ts'
import { prepareSchema } from './migrate.ts'

export interface PostgresOptions {
  address: string
  /** The project's id, which names its schema. */
  project: string
  /** Creates the schema if it is missing; set by `cleo init` and `cleo db move`. */
  create?: boolean
  now(): number
  /** Turns off time limits for a move, which copies everything in one transaction. */
  unlimited?: boolean
}

const seconds = 15
/**
 * Time limit for the first connection, in seconds. It is long enough for a server restart, and short enough to report
 * a mistyped address soon.
 */
const firstSeconds = 4

// Read 64-bit integers as JavaScript numbers. PostgreSQL returns counts and times as such integers, and CLEO's counts
// and times are small enough to be exact as numbers.
types.setTypeParser(types.builtins.INT8, Number)

/** Uses one connection. If this connection is lost, reconnects. */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  refuseWrongAddress(options.address)
  const where = shownAddress(options.address)
  const schema = schemaOf(options.project)
  const given = connectionOf(options.address)
  let client: Client | undefined

  const connected = async (): Promise<Client> => {
    if (client) return client
    const made = new Client({
      connectionString: given.address,
      connectionTimeoutMillis: 5000,
      statement_timeout: options.unlimited ? 0 : seconds * 1000,
      lock_timeout: seconds * 1000,
      idle_in_transaction_session_timeout: options.unlimited ? 0 : seconds * 1000,
      application_name: 'cleo',
      options: `${given.options} -c search_path=${schema}`.trim(),
    })
    made.on('error', () => {
      if (client === made) client = undefined
    })
    try {
      await made.connect()
    } catch (error) {
      throw connectionError(error, where)
    }
    client = made
    return made
  }
  const dropped = async (): Promise<void> => {
    const old = client
    client = undefined
    await old?.end().catch(() => undefined)
  }

  /**
   * Retries after a lost connection, with growing pauses, and gives up after `limit` seconds. The default limit is the
   * time for which a command waits for a lock.
   */
  const retrying = async <T>(ask: () => Promise<T>, limit = seconds): Promise<T> => {
    const giveUp = options.now() + limit * 1000
    for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
      try {
        return await ask()
      } catch (error) {
        if (!isLost(error) && !(error instanceof StillOpen)) throw explain(error, where)
        await dropped()
        if (options.now() + pause > giveUp) throw explain(error, where)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }

  const over = (on: Client): Db => ({
    dialect: postgresDialect,
    now: async () => Number((await on.query(clock)).rows[0].now),
    get: async <T>(sql: string, ...params: Param[]) =>
      (await query(on, sql, params)).rows[0] as T | undefined,
    all: async <T>(sql: string, ...params: Param[]) => (await query(on, sql, params)).rows as T[],
    run: async (sql, ...params) => (await query(on, sql, params)).rowCount ?? 0,
  })
  const reading = <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    queued(() => retrying(async () => read(over(await connected()))))

  const transact = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const on = await connected()
    try {
      await on.query('BEGIN')
      // Take a lock, so that only one writer runs at a time, as in SQLite. Otherwise another writer could change rows
      // while this writer counts them or checks them for cycles.
      const begun = await on.query(
        'SELECT pg_advisory_xact_lock(hashtextextended($1, 0)), pg_current_xact_id()::text AS xid',
        [schema],
      )
      const result = await work(over(on))
      try {
        await on.query('COMMIT')
      } catch (error) {
        if (!isLost(error)) throw error
        await dropped()
        if (!(await wasCommitted(begun.rows[0].xid as string))) throw error
      }
      return result
    } catch (error) {
      if (client === on) await on.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  /** Asks the server whether it committed a transaction, after the connection broke during COMMIT. */
  const wasCommitted = (xid: string): Promise<boolean> =>
    retrying(async () => {
      const on = await connected()
      const { rows } = await on.query('SELECT pg_xact_status($1::text::xid8) AS status', [xid])
      switch (rows[0].status) {
        case 'committed':
          return true
        case 'aborted':
          return false
        case 'in progress':
          throw new StillOpen()
        default:
          throw new Refused(fail('store.unsure', { where }))
      }
    }).catch((error: unknown) => {
      if (error instanceof StillOpen) throw new Refused(fail('store.unsure', { where }))
      throw error
    })

  const snapshot = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    let begun: Promise<Client> | undefined
    const begin = async (): Promise<Client> => {
      const on = await connected()
      await on.query(beginSnapshot)
      return on
    }
    const reading = async (): Promise<Db> => {
      begun ??= begin()
      return over(await begun)
    }
    const end = async (): Promise<void> => {
      // Ignore a failed COMMIT: the snapshot wrote nothing, so a lost connection does no harm here.
      await (await begun)?.query('COMMIT').catch(() => undefined)
      begun = undefined
    }
    const within: Store = {
      ...store,
      now: async () => (await reading()).now(),
      get: async (sql, ...params) => (await reading()).get(sql, ...params),
      all: async (sql, ...params) => (await reading()).all(sql, ...params),
      run: (sql, ...params) => within.tx((db) => db.run(sql, ...params)),
      tx: async (change) => {
        await end()
        return retrying(() => transact(change))
      },
      snapshot: (inner) => inner(within),
    }
    try {
      return await work(within)
    } finally {
      await end().catch(() => undefined)
    }
  }

  let tail: Promise<unknown> = Promise.resolve()
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined)
    return result
  }

  const store: Store = {
    where,
    dialect: postgresDialect,
    now: () => reading((db) => db.now()),
    get: (sql, ...params) => reading((db) => db.get(sql, ...params)),
    all: (sql, ...params) => reading((db) => db.all(sql, ...params)),
    run: (sql, ...params) => store.tx((db) => db.run(sql, ...params)),
    tx: (work) => queued(() => retrying(() => transact(work))),
    snapshot: (work) => queued(() => retrying(() => snapshot(work))),
    close: () => queued(dropped),
  }
  try {
    await retrying(
      async () => prepareSchema(await connected(), schema, { where, create: options.create ?? false }),
      firstSeconds,
    )
  } catch (error) {
    await dropped()
    await refuseOtherServer(error, options.address)
    throw error
  }
  return store
}

const refuseWrongAddress = (address: string): void => {
  const problem = addressProblem(address)
  if (problem) refuse('store.address', { reason: problem })
  for (const path of keyFiles(address)) {
    const reason = whyUnreadable(path)
    if (reason) refuse('store.key_file', { path, reason })
  }
}

/**
 * Refuses a server that is not PostgreSQL. Without this check, the refusal would say that the server cannot be reached,
 * because the package `pg` reports the answer of such a server as a lost connection.
 */
const refuseOtherServer = async (error: unknown, address: string): Promise<void> => {
  if (!(error instanceof Refused) || error.failure.code !== 'store.unreachable') return
  const { hostname, port } = new URL(address)
  // Without a host name, the address names the socket of a server on this computer, so there is no port to examine.
  if (hostname === '' || hostname.startsWith('%')) return
  const { isOtherServer } = await import('../../host/node-postgres-probe.ts')
  if (await isOtherServer(hostname.replace(/^\[(.*)\]$/, '$1'), Number(port || 5432)))
    refuse('store.denied', { where: shownAddress(address), reason: 'the server there is not PostgreSQL' })
}

/** Thrown if the server has not noticed the lost connection and keeps the transaction open. `retrying` asks again. */
class StillOpen extends Error {}

const clock = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'

// A snapshot has no idle timeout, because an operation can wait long for a program. This does no harm: a snapshot
// holds no lock that others wait for.
const beginSnapshot =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0'

const query = async (on: Client, sql: string, params: Param[]) => {
  const values = params.map((value) => (typeof value === 'string' ? escapeNul(value) : value))
  const result = await on.query(numberParameters(sql), values)
  for (const row of result.rows as Record<string, unknown>[]) {
    for (const [key, value] of Object.entries(row))
      if (typeof value === 'string') row[key] = unescapeNul(value)
  }
  return result
}

const numberedSql = new Map<string, string>()

/** Every question mark in our SQL is a parameter. */
const numberParameters = (sql: string): string => {
  let text = numberedSql.get(sql)
  if (text === undefined) {
    let n = 0
    text = sql.replaceAll('?', () => `$${++n}`)
    numberedSql.set(sql, text)
  }
  return text
}

/**
 * PostgreSQL cannot store NUL in text. So NUL is stored as this marker followed by `0`. The marker itself is stored
 * as the marker followed by `1`.
 */
const marker = '\ue000'

const escapeNul = (text: string): string =>
  text.includes('\0') || text.includes(marker)
    ? text.replaceAll(marker, `${marker}1`).replaceAll('\0', `${marker}0`)
    : text

const unescapeNul = (text: string): string =>
  text.includes(marker) ? text.replaceAll(`${marker}0`, '\0').replaceAll(`${marker}1`, marker) : text
