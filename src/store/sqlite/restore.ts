import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as disk from '../../host/node-database-files.ts'
import { Refused, refuse } from '../../kernel/result.ts'
import type { Db, Store } from '../port.ts'
import { examine, saveSqlite, unwritable } from './backup.ts'
import { freeName } from './backup-names.ts'
import { createSqlite } from './create.ts'
import { explain, isBusy } from './errors.ts'
import { openSqlite } from './open.ts'

export interface Order {
  /** The project's database. */
  path: string
  /** The backup that is to take its place; it was found fit. */
  file: string
  /** Where what is there now is kept. */
  backups: string
  /** The moment, as part of a name. */
  stamp: string
  unique: string
  now(): number
  /** Records the restore in the audit log, in the same transaction. */
  record(db: Db, kept: string | undefined): Promise<void>
  dryRun: boolean
}

export interface Restored {
  tasks: number
  /** What was there before. */
  kept?: string
}

/** Puts the content of a backup in the place of the present one, which is kept. */
export const restoreSqlite = async (order: Order): Promise<Restored> => {
  const { path, file, unique } = order
  const work = join(dirname(path), `restore-${unique}`)
  const saved = join(work, 'saved.db')
  const fresh = join(work, 'cleo.db')
  try {
    disk.makeFolder(work)
    const { tasks } = saveSqlite(file, saved, { unique })!
    createSqlite(fresh, unique)
    const tables = await withStore(fresh, order, (store) => tablesOf(store))
    await withStore(saved, order, (store) => checkContent(store, tables, file))
    const kept = await alone(order.backups, () => replace(order, { saved, fresh, tables }))
    return { tasks, ...(kept && { kept }) }
  } catch (error) {
    throw unwritable(explain(error, path), path)
  } finally {
    disk.remove(work)
  }
}

/** Opening an older one migrates it. */
const withStore = async <T>(path: string, { now }: Order, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openSqlite(path, { now, wait: 'retry' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** What each table is made of, but for those a virtual table keeps for itself. */
type Tables = ReadonlyMap<string, string>

const tablesOf = async (db: Db): Promise<Tables> => {
  const rows = await db.all<{ name: string; sql: string }>(
    `SELECT made.name AS name, made.sql AS sql
     FROM sqlite_master made JOIN pragma_table_list list ON list.schema = 'main' AND list.name = made.name
     WHERE list.type = 'table' AND made.name NOT LIKE 'sqlite%' ORDER BY made.name`,
  )
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}

/** Rows are copied as they stand, so the tables must be the same to the letter. */
const oddTable = async (db: Db, wanted: Tables): Promise<string | undefined> => {
  const found = await tablesOf(db)
  return [...wanted.keys()].find((name) => found.get(name) !== wanted.get(name))
}

const checkContent = async (db: Db, tables: Tables, file: string): Promise<void> => {
  const odd = await oddTable(db, tables)
  if (odd) refuse('backup.invalid', { path: file, reason: `its table ${odd} is not the one CLEO makes` })
  const dangling = await db.get<{ table: string }>('PRAGMA foreign_key_check')
  if (dangling)
    refuse('backup.invalid', { path: file, reason: `its ${dangling.table} name what is not there` })
}

/** One restore at a time: a second one that met the same damaged file finds it mended. */
const alone = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  disk.makeFolder(folder)
  const lock = new DatabaseSync(join(folder, '.lock'))
  try {
    for (let waited = 0; !tryLock(lock, waited >= lockMs); waited += lockPause)
      await new Promise((resolve) => setTimeout(resolve, lockPause))
    return await work()
  } finally {
    lock.close()
  }
}

const lockMs = 15_000
const lockPause = 25

const tryLock = (lock: DatabaseSync, last: boolean): boolean => {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (last || !isBusy(error)) throw error
    return false
  }
}

interface Content {
  saved: string
  fresh: string
  tables: Tables
}

/** Answers where the present content is kept, if there was any. */
const replace = async (order: Order, content: Content): Promise<string | undefined> => {
  const { path, backups, stamp, dryRun } = order
  const there = disk.exists(path)
  if (there && isSound(path)) {
    const kept = freeName(backups, `before-restore-${stamp}`)
    const done = await withStore(path, order, async (store) => {
      if (await oddTable(store, content.tables)) return false
      if (!dryRun) await pour(store, content, order, kept)
      return true
    })
    if (done) return kept
  }
  const kept = freeName(backups, `damaged-${stamp}`)
  if (dryRun) return there ? kept : undefined
  await withStore(content.fresh, order, (store) => pour(store, content, order))
  return setInPlace(content.fresh, path, kept)
}

/** False for a damaged one; one that is newer, locked or out of reach is refused. */
const isSound = (path: string): boolean => {
  try {
    examine(path, { thorough: true })
    return true
  } catch (error) {
    const code = error instanceof Refused ? error.failure.code : undefined
    if (code === 'store.corrupt' || code === 'store.foreign') return false
    throw error
  }
}

/**
 * Replaces all rows in one transaction of the live file: processes that have it open see the old state or the new
 * one, and their next write lands in it. What was there is saved under the same lock, so no commit falls between.
 */
const pour = async (store: Store, { saved, tables }: Content, order: Order, kept?: string): Promise<void> => {
  await store.run('ATTACH ? AS saved', saved)
  await store.tx(async (db) => {
    if (kept && !saveSqlite(order.path, kept, order)) refuse('file.exists', { path: kept })
    await db.run('PRAGMA defer_foreign_keys = ON')
    const given = await db.all<{ name: string; value: number }>('SELECT name, value FROM main.counters')
    for (const table of tables.keys()) await db.run(`DELETE FROM main."${table}"`)
    for (const table of tables.keys())
      await db.run(`INSERT INTO main."${table}" SELECT * FROM saved."${table}"`)
    // No trigger keeps this index: its words are copied like rows.
    await db.run('DELETE FROM main.texts')
    await db.run('INSERT INTO main.texts (kind, ref, words) SELECT kind, ref, words FROM saved.texts')
    // An id that was given out since the backup may stand in files and branches: it does not come again.
    for (const { name, value } of given)
      await db.run('UPDATE main.counters SET value = ? WHERE name = ? AND value < ?', value, name, value)
    await order.record(db, kept)
  })
}

/**
 * Keeps what is there under another name and puts the new file in its place in one step. The old log goes first, or
 * SQLite would play it into the new file.
 */
const setInPlace = (fresh: string, path: string, kept: string): string | undefined => {
  const there = disk.partsOf(path)
  for (const suffix of there) {
    disk.link(path + suffix, kept + suffix)
    if (suffix) disk.remove(path + suffix)
  }
  if (there.includes('')) disk.rename(fresh, path)
  else disk.link(fresh, path)
  return there.length > 0 ? kept + there[0]! : undefined
}
