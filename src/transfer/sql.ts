import { taskNumber } from '../kernel/task-id.ts'
import { type Db, insertRows, type Param } from '../store/port.ts'
import { openStatuses, type TaskRow } from '../store/rows.ts'
import { type RecordKind, recordKinds, type Table, tables } from '../store/tables.ts'
import { recountAllBlockers } from '../tasks/sql/counts.ts'
import type { Criterion } from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import type { NoteRow } from '../tasks/sql/notes.ts'

type Row = Record<string, Param>

export interface StoredData {
  rows: Record<RecordKind, Row[]>
  depends: Map<string, string[]>
  labels: Map<string, string[]>
  files: Map<string, string[]>
  criteria: (Criterion & { task: string })[]
  notes: (NoteRow & { seq: number; task: string | null; session: string | null })[]
}

/** Call this inside a transaction, so that all rows come from the same state. */
export const readAll = async (db: Db): Promise<StoredData> => {
  const rows: [string, Row[]][] = []
  for (const kind of recordKinds) rows.push([kind, await readTable(db, kind)])
  const all = Object.fromEntries(rows) as StoredData['rows']
  const ids = all.task.map(({ id }) => id as string)
  return {
    rows: all,
    depends: await lists.readMany(db, 'depends', ids),
    labels: await lists.readMany(db, 'labels', ids),
    files: await lists.readMany(db, 'files', ids),
    criteria: await db.all('SELECT task, n, text, source, state FROM criteria ORDER BY task, n'),
    notes: await db.all('SELECT * FROM notes ORDER BY seq'),
  }
}

/** The order of the rows depends only on the content. */
const readTable = async (db: Db, kind: RecordKind): Promise<Row[]> => {
  const { name, columns, unique }: Table = tables[kind]
  if ('seq' in columns) return db.all<Row>(`SELECT * FROM ${name} ORDER BY seq`)
  const key = (row: Row) => unique[0]!.map((column) => sortable(row[column]!)).join('\u0000')
  const claimKey = ({ task, owner }: Row) => `${sortable(taskNumber(task as string))} ${owner}`
  return sorted(await db.all<Row>(`SELECT * FROM ${name}`), kind === 'claim' ? claimKey : key)
}

// Sorts rows here and not in SQL, because databases sort text differently. Sorts text by UTF-16 code unit and numbers
// by value.
const sorted = (rows: readonly Row[], key: (row: Row) => string): Row[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
const sortable = (value: Param): string =>
  typeof value === 'number' ? String(value).padStart(16, '0') : String(value)

export const isEmpty = async (db: Db): Promise<boolean> => {
  for (const table of ['tasks', 'sessions', 'audit'])
    if (await db.get(`SELECT 1 AS one FROM ${table} LIMIT 1`)) return false
  return (await db.get('SELECT 1 AS one FROM counters WHERE value > 0')) === undefined
}

/** A task row without the counts that depend on other tasks. `recount` fills those in. */
export type StoredTask = Omit<TaskRow, 'blockers' | 'unblocks' | 'children' | 'attempt_out'>

/** The parent of each task must be inserted with the task or already stored. */
export const insertTasks = async (db: Db, tasks: readonly StoredTask[]): Promise<void> => {
  await insertRows(
    db,
    'tasks',
    tasks.map((task) => ({ ...task, blockers: 0, unblocks: 0, children: 0 })),
  )
  await db.dialect.indexText?.(db, tasks)
}

export const insert = (db: Db, kind: RecordKind, rows: readonly Row[]): Promise<void> =>
  insertRows(db, tables[kind].name, rows)

export const insertNotes = (db: Db, rows: readonly Row[]): Promise<void> => insertRows(db, 'notes', rows)

export const setCounter = async (db: Db, { name, value }: { name: string; value: number }): Promise<void> => {
  await db.run(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

/**
 * Recounts children, dependents and blockers of all tasks with a number higher than `above`. Also marks the tasks
 * that are out: those whose last spawn has not returned, or still has its claim after a refused return.
 */
export const recount = async (db: Db, above: number): Promise<void> => {
  await db.run(
    `UPDATE tasks SET
       children = (SELECT count(*) FROM tasks child WHERE child.parent = tasks.id),
       unblocks = (SELECT count(*) FROM depends d JOIN tasks waiting ON waiting.id = d.task
                   WHERE d.needs = tasks.id AND waiting.status IN ${openStatuses})
     WHERE seq > ?`,
    above,
  )
  await db.run(
    `UPDATE tasks SET attempt_out = coalesce((
       SELECT attempt FROM spawns
       WHERE spawns.task = tasks.id AND attempt = (SELECT max(attempt) FROM spawns last WHERE last.task = tasks.id)
         AND (back_at IS NULL OR EXISTS (
           SELECT 1 FROM claims WHERE claims.task = tasks.id AND claims.owner = spawns.id AND state = 'held'))), 0)
     WHERE seq > ? AND status IN ('pending', 'active') AND id IN (SELECT task FROM spawns)`,
    above,
  )
  await recountAllBlockers(db, above)
}
