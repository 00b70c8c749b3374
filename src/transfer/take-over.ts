import { taskNumber } from '../kernel/task-id.ts'
import { wordsOf } from '../manifest/words.ts'
import type { Write } from '../operation/context.ts'
import * as texts from '../store/texts.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import { priorityRank } from '../tasks/sql/tasks.ts'
import type { Document, Line } from './document.ts'
import { plainRow } from './plain-records.ts'
import type { Of } from './records.ts'
import type { Places } from './references.ts'
import * as transfer from './sql.ts'

export interface Readable {
  document: Document
  places: Places
}

/** Makes an empty project the one that was exported, down to its ids, its log and its counters. */
export const takeOver = async ({ db }: Pick<Write, 'db'>, { document, places }: Readable) => {
  const tasks = parentsFirst(document.task, places)
  await writeTasks(db, tasks, (id) => places.get(id)!.root)
  await transfer.insert(db, 'sessions', document.session.map(sessionRow))
  await transfer.insert(db, 'notes', [
    ...tasks.flatMap(({ id, notes }) => notes.map((note) => noteRow(note, id, note.session ?? null))),
    ...document.session.flatMap(({ id, notes }) => notes.map((note) => noteRow(note, null, id))),
  ])
  await transfer.insert(
    db,
    'claims',
    document.claim.map(({ task, owner, epoch, state, expiresAt }) => ({
      task,
      owner,
      epoch,
      state,
      expires_at: ms(expiresAt),
    })),
  )
  await transfer.insert(
    db,
    'focus',
    document.focus.map(({ session, agent, task, since }) => ({ session, agent, task, since: ms(since) })),
  )
  await transfer.insert(db, 'spawns', document.spawn.map(spawnRow))
  await transfer.insert(db, 'entries', document.entry.map(entryRow))
  await writePlain(db, document)
  await transfer.insert(db, 'audit', document.audit.map(auditRow))
  const highest = document.task.reduce((most, { id }) => Math.max(most, taskNumber(id)), 0)
  await transfer.setCounter(db, { name: 'task', value: highest })
  for (const { name, value } of document.counter) await transfer.setCounter(db, { name, value })
  await db.dialect.afterCopy?.(db)
  await transfer.recount(db, 0)
  return { imported: tasks.length, mapped: [], left: [] }
}

/** What is copied row by row, and the words by which it is found. */
const writePlain = async (db: Db, { plain, entry }: Document): Promise<void> => {
  const rows = Map.groupBy(plain, ({ record }) => record)
  for (const [table, records] of rows) await transfer.insertPlain(db, table, records.map(plainRow))
  await texts.put(db, [
    ...entry.map(({ id, body }) => ({ kind: 'entry' as const, ref: id, words: wordsOf(body) })),
    ...(rows.get('memory') ?? []).map(({ seq, text, source }) => ({
      kind: 'memory' as const,
      ref: String(seq),
      words: `${text} ${source ?? ''}`,
    })),
  ])
}

type Db = Write['db']
type Task = Of<'task'>

export const parentsFirst = (tasks: readonly Task[], places: Places): Task[] =>
  tasks.toSorted((a, b) => places.get(a.id)!.depth - places.get(b.id)!.depth)

const ms = (time: string): number => Date.parse(time)

/** Tasks, parents before children, with all their lists. */
export const writeTasks = async (
  db: Db,
  tasks: readonly Task[],
  rootOf: (id: string) => string,
): Promise<void> => {
  await transfer.insertTasks(
    db,
    tasks.map((task) => taskRow(task, rootOf(task.id))),
  )
  for (const name of ['depends', 'labels', 'files'] as const) {
    await lists.writeMany(
      db,
      name,
      tasks.map((task) => [task.id, task[name]]),
    )
  }
  await criteria.writeMany(
    db,
    tasks.map((task) => [task.id, task.criteria]),
  )
}

const taskRow = (task: Task, root: string): transfer.StoredTask => {
  const { id, title, description, type, status, size, completes, origin, epoch } = task
  return {
    seq: taskNumber(id),
    id,
    title,
    description,
    type,
    parent: task.parent ?? null,
    root,
    status,
    reason: task.reason ?? null,
    priority: priorityRank(task.priority),
    size,
    stage: task.stage ?? null,
    completes,
    origin,
    outcome: task.outcome ?? null,
    epoch,
    created_at: ms(task.createdAt),
    updated_at: ms(task.updatedAt),
    completed_at: task.completedAt === undefined ? null : ms(task.completedAt),
  }
}

const noteRow = (
  { seq, at, by, text }: Task['notes'][number],
  task: string | null,
  session: string | null,
) => ({
  seq,
  task,
  session,
  at: ms(at),
  actor: by,
  text,
})

const sessionRow = (session: Of<'session'>) => {
  const { seq, id, name, scope, status, actor, startedAt, endedAt } = session
  return {
    seq,
    id,
    name,
    scope: scope ?? null,
    status,
    actor,
    started_at: ms(startedAt),
    ended_at: endedAt === undefined ? null : ms(endedAt),
  }
}

const spawnRow = (spawn: Line<Of<'spawn'>>) => {
  const { line: _, record: __, at, startedAt, asked, report, session, ...row } = spawn
  return {
    ...row,
    session: session ?? null,
    at: ms(at),
    started_at: startedAt === undefined ? null : ms(startedAt),
    asked: JSON.stringify(asked),
    report: JSON.stringify(report),
  }
}

const entryRow = (entry: Line<Of<'entry'>>) => {
  const { line: _, record: __, spawn, sha256, lineSha256, appendedAt, ...row } = entry
  return {
    ...row,
    spawn: spawn ?? null,
    sha256: sha256 ?? null,
    appended_at: ms(appendedAt),
    line_sha256: lineSha256,
  }
}

const auditRow = (entry: Of<'audit'>) => {
  const { seq, at, actor, session, operation, task, before, after } = entry
  return {
    seq,
    at: ms(at),
    actor,
    session: session ?? null,
    operation,
    task: task ?? null,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }
}
