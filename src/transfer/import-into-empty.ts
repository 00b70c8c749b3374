import { taskNumber } from '../kernel/task-id.ts'
import { searchWords } from '../manifest/entry.ts'
import type { Write } from '../operation/context.ts'
import type { reporting } from '../operation/progress.ts'
import { toRow } from '../store/columns/column.ts'
import { notes } from '../store/columns/tasks.ts'
import { recordKinds, tables } from '../store/tables.ts'
import * as texts from '../store/texts.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import type { Document, ExportRecord, NumberedRecord } from './records.ts'
import * as transfer from './sql.ts'
import type { TreePlaces } from './wrong-references.ts'

type Db = Write['db']
type Task = ExportRecord<'task'>

export interface ImportSource {
  document: Document
  places: TreePlaces
  /** For a project of another tool: maps each id in the document to the id that the tool uses. */
  names?: ReadonlyMap<string, string>
}

/** Fills an empty project so that it equals the exported one, including ids, audit log and counters. */
export const importIntoEmpty = async (
  { db }: Pick<Write, 'db'>,
  { document: read, places }: ImportSource,
  report?: ReturnType<typeof reporting>,
) => {
  const document = withReturns(read)
  const tasks = parentsFirst(document.task, places)
  let count = 0
  let total = 0
  for (const kind of recordKinds) total += document[kind].length
  await report?.({ count, total })
  await writeTasks(db, tasks, (id) => places.get(id)!.root)
  count += tasks.length
  for (const kind of recordKinds) {
    if (kind === 'task' || kind === 'counter') continue
    await transfer.insert(
      db,
      kind,
      document[kind].map((record) => toRow(tables[kind].columns, record)),
    )
    count += document[kind].length
    await report?.({ count, total })
  }
  await transfer.insertNotes(db, [
    ...tasks.flatMap(({ id, notes }) => notes.map((note) => noteRow(note, { task: id }))),
    ...document.session.flatMap(({ id, notes }) =>
      notes.map((note) => noteRow(note, { task: null, session: id })),
    ),
  ])
  await indexTexts(db, document)
  const highest = document.task.reduce((most, { id }) => Math.max(most, taskNumber(id)), 0)
  await transfer.setCounter(db, { name: 'task', value: highest })
  for (const { name, value } of document.counter) await transfer.setCounter(db, { name, value })
  await db.dialect.afterCopy?.(db)
  await transfer.recount(db, 0)
  return { imported: tasks.length, mapped: [], left: [] }
}

const noteRow = (note: Task['notes'][number], owner: { task: string | null; session?: string }) => ({
  ...toRow(notes, note),
  ...owner,
})

const indexTexts = (db: Db, { entry, memory }: Document): Promise<void> =>
  texts.put(db, [
    ...entry.map(({ id, body }) => ({ kind: 'entry' as const, ref: id, words: searchWords(body) })),
    ...memory.map(({ seq, text, source }) => ({
      kind: 'memory' as const,
      ref: String(seq),
      words: `${text} ${source ?? ''}`,
    })),
  ])

export const parentsFirst = (tasks: readonly Task[], places: TreePlaces): Task[] =>
  tasks.toSorted((a, b) => places.get(a.id)!.depth - places.get(b.id)!.depth)

/** In `all`, a parent must come before its children. */
export const writeTasks = async (
  db: Db,
  all: readonly Task[],
  rootOf: (id: string) => string,
): Promise<void> => {
  await transfer.insertTasks(
    db,
    all.map((task) => ({
      ...(toRow(tables.task.columns, task) as unknown as transfer.StoredTask),
      seq: taskNumber(task.id),
      root: rootOf(task.id),
    })),
  )
  for (const name of ['depends', 'labels', 'files'] as const) {
    await lists.writeMany(
      db,
      name,
      all.map((task) => [task.id, task[name]]),
    )
  }
  await criteria.writeMany(
    db,
    all.map((task) => [task.id, task.criteria]),
  )
}

type Logged = NumberedRecord<'audit'>

/** Exports before schema 4 contain returns only in their audit log. */
const withReturns = (document: Document): Document => {
  if (document.returns.length > 0) return document
  const tasks = new Set(document.task.map(({ id }) => id))
  const log = document.audit.toSorted((a, b) => a.seq - b.seq)
  const received = log.filter((row) => isReceipt(row) && tasks.has(row.task ?? ''))
  const byTask = Map.groupBy(log, ({ task }) => task)
  return {
    ...document,
    returns: received.map(({ task, at, actor, after, line }, i) => {
      const { spawn, returned, need, breach, entry, made } = after as Record<string, string>
      return { seq: i + 1, task: task!, at, actor, line, spawn: spawn!, returned, need, breach, entry, made }
    }),
    spawn: document.spawn.map((spawn) => ({
      ...spawn,
      backAt: spawn.backAt ?? backAt(spawn.id, byTask.get(spawn.task) ?? []),
    })),
  }
}

const spawnIn = ({ after }: Logged): unknown =>
  typeof after === 'object' && after !== null && 'spawn' in after ? after.spawn : undefined

const isReceipt = (row: Logged): boolean =>
  row.operation === 'orchestrate.receive' && typeof spawnIn(row) === 'string'

/**
 * Returns the time at which a spawn returned: the time of the first audit line that says that the spawn was received
 * or that its task was reopened. Looks only at the lines after the last `spawn` or `respawn` that recorded this spawn.
 * There can be several of these, because an unstarted spawn can be used again.
 */
const backAt = (spawn: string, log: readonly Logged[]): string | undefined => {
  const spawned = log.findLastIndex(
    (row) => /^orchestrate\.(re)?spawn$/.test(row.operation) && spawnIn(row) === spawn,
  )
  return log
    .slice(spawned + 1)
    .find((row) => row.operation === 'tasks.reopen' || (isReceipt(row) && spawnIn(row) === spawn))?.at
}
