import { dirname, join } from 'node:path'
import * as disk from '../../host/node-database-files.ts'
import { Refused, refuse } from '../../kernel/result.ts'
import { parseSpawnId, taskNumber } from '../../kernel/task-id.ts'
import { attemptCounter } from '../attempt-counter.ts'
import type { Db, Store } from '../port.ts'
import { examine, projectIn, saveSqlite, unwritable } from './backup.ts'
import { freeName } from './backup-names.ts'
import { createSqlite } from './create.ts'
import { explain } from './errors.ts'
import { withFileLock } from './file-lock.ts'
import { openSqlite } from './open.ts'
import { markedIds, setId } from './project-id.ts'

export interface RestoreOptions {
  /** The project's database. */
  path: string
  /** The backup to restore, already checked. */
  file: string
  /** The folder for a copy of the current database. */
  backups: string
  /** The current time, as part of a file name. */
  stamp: string
  unique: string
  /** The id that the project has after the restore. Undefined if neither the project nor the backup has an id. */
  project: string | undefined
  /** Ids of all spawns, read from files that a restore does not replace. */
  spawned: readonly string[]
  now(): number
  /** Records the restore in the audit log, in the transaction that replaces the rows. */
  record(db: Db, kept: string | undefined): Promise<unknown>
  dryRun: boolean
}

export interface RestoreOutcome {
  tasks: number
  /** The path of a copy of the previous content. */
  kept?: string
}

/** Keeps a copy of the previous content. */
export const restoreSqlite = async (order: RestoreOptions): Promise<RestoreOutcome> => {
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
    const kept = await withRestoreLock(order.backups, () => replace(order, { saved, fresh, tables }))
    return { tasks, ...(kept && { kept }) }
  } catch (error) {
    throw unwritable(explain(error, path), path)
  } finally {
    disk.remove(work)
  }
}

/** An older database is migrated when it is opened. */
const withStore = async <T>(
  path: string,
  { now }: RestoreOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = await openSqlite(path, { now, wait: 'retry' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The SQL of each table. Tables that belong to a virtual table are left out. */
type Tables = ReadonlyMap<string, string>

const tablesOf = async (db: Db): Promise<Tables> => {
  const rows = await db.all<{ name: string; sql: string }>(
    `SELECT made.name AS name, made.sql AS sql
     FROM sqlite_master made JOIN pragma_table_list list ON list.schema = 'main' AND list.name = made.name
     WHERE list.type = 'table' AND made.name NOT LIKE 'sqlite%' ORDER BY made.name`,
  )
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}

/** Rows are copied unchanged, so the SQL of the tables must be equal. */
const differentTable = async (db: Db, wanted: Tables): Promise<string | undefined> => {
  const found = await tablesOf(db)
  return [...wanted.keys()].find((name) => found.get(name) !== wanted.get(name))
}

const checkContent = async (db: Db, tables: Tables, file: string): Promise<void> => {
  const odd = await differentTable(db, tables)
  if (odd) refuse('backup.invalid', { path: file, reason: `its table ${odd} is not the one CLEO creates` })
  const dangling = await db.get<{ table: string }>('PRAGMA foreign_key_check')
  if (dangling)
    refuse('backup.invalid', { path: file, reason: `its ${dangling.table} refer to missing rows` })
}

/** If two processes restore the same damaged file, the second one waits, and then finds it repaired. */
const withRestoreLock = <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  disk.makeFolder(folder)
  return withFileLock(join(folder, '.lock'), work)
}

interface Content {
  saved: string
  fresh: string
  tables: Tables
}

/** Returns the path of a copy of the previous content, if there was any. */
const replace = async (order: RestoreOptions, content: Content): Promise<string | undefined> => {
  const { path, backups, stamp, dryRun } = order
  const there = disk.exists(path)
  const foreign = there && isOfAnother(path)
  if (there && !foreign && isUndamaged(path)) {
    const kept = freeName(backups, `before-restore-${stamp}`)
    const done = await withStore(path, order, async (store) => {
      if (await differentTable(store, content.tables)) return false
      if (!dryRun) await copyRows(store, content, order, kept)
      return true
    })
    if (done) return kept
  }
  const kept = freeName(backups, `${foreign ? 'other-project' : 'damaged'}-${stamp}`)
  if (dryRun) return there ? kept : undefined
  await withStore(content.fresh, order, (store) => copyRows(store, content, order))
  return swapFiles(content.fresh, path, kept)
}

const isOfAnother = (path: string): boolean => {
  const marked = markedIds(path)
  const found = marked.length > 0 ? projectIn(path) : undefined
  return found !== undefined && !marked.includes(found)
}

/**
 * Returns false if the file is damaged or is not a CLEO database. Refuses a database that is locked, unreadable, or
 * written by a newer CLEO.
 */
const isUndamaged = (path: string): boolean => {
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
 * Replaces all rows in one transaction of the live file. So a process that has the file open sees either all old or all
 * new rows, and what it writes later is not lost. Saves the old rows under the same lock, so that the copy misses no
 * commit.
 */
const copyRows = async (
  store: Store,
  { saved, tables }: Content,
  order: RestoreOptions,
  kept?: string,
): Promise<void> => {
  await store.run('ATTACH ? AS saved', saved)
  await store.tx(async (db) => {
    if (kept && !saveSqlite(order.path, kept, order)) refuse('file.exists', { path: kept })
    await db.run('PRAGMA defer_foreign_keys = ON')
    const given = await highestNumbers(db, order)
    // The project keeps its id, whichever backup is restored.
    const replaced = [...tables.keys()].filter((table) => table !== 'project')
    for (const table of replaced) await db.run(`DELETE FROM main."${table}"`)
    for (const table of replaced) {
      // Skip the counts of tasks: triggers update them while the tasks are inserted.
      if (table !== 'task_counts') await db.run(`INSERT INTO main."${table}" SELECT * FROM saved."${table}"`)
    }
    // No trigger updates the full-text index of entries and memories, so copy its rows.
    await db.run('DELETE FROM main.texts')
    await db.run('INSERT INTO main.texts (kind, ref, words) SELECT kind, ref, words FROM saved.texts')
    // Counters never go back, because files and branches can contain ids that were used after the backup.
    for (const counter of given) await keepCounter(db, counter)
    await dropKnownAttempts(db)
    if (order.project !== undefined) await setId(db, order.project)
    await order.record(db, kept)
  })
}

interface Counter {
  name: string
  value: number
}

/** Returns every number that was already given, from the current rows and from the ids in `spawned`. */
const highestNumbers = async (db: Db, { spawned }: RestoreOptions): Promise<Counter[]> => {
  const counters = await db.all<Counter>('SELECT name, value FROM main.counters')
  const rows = await db.all<{ task: string; attempt: number }>(
    'SELECT task, max(attempt) AS attempt FROM main.spawns GROUP BY task',
  )
  const others = spawned.flatMap((id) => parseSpawnId(id) ?? [])
  return [
    ...counters,
    ...others.map(({ task }) => ({ name: 'task', value: taskNumber(task) })),
    ...[...rows, ...others].map(({ task, attempt }) => ({ name: attemptCounter(task), value: attempt })),
  ]
}

const keepCounter = async (db: Db, { name, value }: Counter): Promise<void> => {
  await db.run(
    `INSERT INTO main.counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    name,
    value,
  )
}

/**
 * Removes the counter of each task whose highest attempt is in the backup. If the counter stayed, CLEO would treat
 * this attempt as superseded.
 */
const dropKnownAttempts = async (db: Db): Promise<void> => {
  await db.run(
    `DELETE FROM main.counters WHERE name LIKE ? AND value <= coalesce(
       (SELECT max(attempt) FROM main.spawns WHERE task = substr(name, ?)), 0)`,
    attemptCounter('%'),
    attemptCounter('').length + 1,
  )
  // A task that still has a counter was spawned again after the backup was made. So the attempt that is out in the
  // backup has been superseded, and the task is not out.
  await db.run(
    `UPDATE main.tasks SET attempt_out = 0
     WHERE attempt_out > 0 AND EXISTS (SELECT 1 FROM main.counters WHERE name = ? || id)`,
    attemptCounter(''),
  )
}

/**
 * Keeps the current file under another name and puts the new file in its place. Removes the old log first, because
 * SQLite would apply that log to the new file.
 */
const swapFiles = (fresh: string, path: string, kept: string): string | undefined => {
  const there = disk.partsOf(path)
  for (const suffix of there) {
    disk.link(path + suffix, kept + suffix)
    if (suffix) disk.remove(path + suffix)
  }
  if (there.includes('')) disk.rename(fresh, path)
  else disk.link(fresh, path)
  return there.length > 0 ? kept + there[0]! : undefined
}
