import type { AuditRow } from '../audit/sql.ts'
import type { ClaimRow } from '../claims/sql/claims.ts'
import type { FocusRow } from '../claims/sql/focus.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import { type PlainRow, type PlainTable, plainNames, readPlain } from '../store/plain-tables.ts'
import { type Db, insertRows } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'
import { openStatuses, type TaskRow } from '../store/rows.ts'
import { recountAllBlockers } from '../tasks/sql/counts.ts'
import type { Criterion } from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import type { NoteRow } from '../tasks/sql/notes.ts'

export interface CounterRow {
  name: string
  value: number
}

export interface StoredNote extends NoteRow {
  seq: number
  task: string | null
  session: string | null
}

/** A task as it was written; what is counted from the others is counted anew. */
export type StoredTask = Omit<TaskRow, 'blockers' | 'unblocks' | 'children'>

export interface Everything {
  counters: CounterRow[]
  tasks: TaskRow[]
  depends: Map<string, string[]>
  labels: Map<string, string[]>
  files: Map<string, string[]>
  criteria: (Criterion & { task: string })[]
  notes: StoredNote[]
  sessions: SessionRow[]
  claims: ClaimRow[]
  focus: FocusRow[]
  spawns: SpawnRow[]
  entries: EntryRow[]
  audit: AuditRow[]
  plain: Record<PlainTable, PlainRow[]>
}

/** All that is stored. Call it inside a transaction, or its parts are of different moments. */
export const readAll = async (db: Db): Promise<Everything> => {
  const tasks = await db.all<TaskRow>('SELECT * FROM tasks ORDER BY seq')
  const ids = tasks.map(({ id }) => id)
  return {
    counters: await db.all('SELECT name, value FROM counters'),
    tasks,
    depends: await lists.readMany(db, 'depends', ids),
    labels: await lists.readMany(db, 'labels', ids),
    files: await lists.readMany(db, 'files', ids),
    criteria: await db.all('SELECT task, n, text, source, state FROM criteria ORDER BY task, n'),
    notes: await db.all('SELECT * FROM notes ORDER BY seq'),
    sessions: await db.all('SELECT * FROM sessions ORDER BY seq'),
    claims: await db.all('SELECT * FROM claims'),
    focus: await db.all('SELECT * FROM focus'),
    spawns: await db.all('SELECT * FROM spawns ORDER BY seq'),
    entries: await db.all('SELECT * FROM entries ORDER BY seq'),
    audit: await db.all('SELECT * FROM audit ORDER BY seq'),
    plain: await readEvery(db),
  }
}

const readEvery = async (db: Db): Promise<Everything['plain']> => {
  const all: [string, PlainRow[]][] = []
  for (const name of plainNames) all.push([name, await readPlain(db, name)])
  return Object.fromEntries(all) as Everything['plain']
}

/** True for a project in which nothing has happened yet. */
export const isEmpty = async (db: Db): Promise<boolean> => {
  for (const table of ['tasks', 'sessions', 'audit'])
    if (await db.get(`SELECT 1 AS one FROM ${table} LIMIT 1`)) return false
  return (await db.get('SELECT 1 AS one FROM counters WHERE value > 0')) === undefined
}

/** Parents are among them or there already. */
export const insertTasks = async (db: Db, tasks: readonly StoredTask[]): Promise<void> => {
  await insertRows(
    db,
    'tasks',
    tasks.map((task) => ({ ...task, blockers: 0, unblocks: 0, children: 0 })),
  )
  await db.dialect.indexText?.(db, tasks)
}

interface Rows {
  notes: StoredNote
  sessions: SessionRow
  claims: ClaimRow
  focus: FocusRow
  spawns: SpawnRow
  entries: EntryRow
  audit: AuditRow
}

export const insert = <T extends keyof Rows>(db: Db, table: T, rows: readonly Rows[T][]): Promise<void> =>
  insertRows(db, table, rows)

export const insertPlain = (db: Db, table: PlainTable, rows: readonly PlainRow[]): Promise<void> =>
  insertRows(db, table, rows)

export const setCounter = async (db: Db, { name, value }: CounterRow): Promise<void> => {
  await db.run(
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

/** Counts anew what makes ready work a look-up, for the tasks above a number. */
export const recount = async (db: Db, above: number): Promise<void> => {
  await db.run(
    `UPDATE tasks SET
       children = (SELECT count(*) FROM tasks child WHERE child.parent = tasks.id),
       unblocks = (SELECT count(*) FROM depends d JOIN tasks waiting ON waiting.id = d.task
                   WHERE d.needs = tasks.id AND waiting.status IN ${openStatuses})
     WHERE seq > ?`,
    above,
  )
  await recountAllBlockers(db, above)
}
