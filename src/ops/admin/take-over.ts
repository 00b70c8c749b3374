import { taskNumber } from '../../model/task-id.ts'
import * as criteria from '../../store/criteria.ts'
import * as lists from '../../store/task-lists.ts'
import { priorityRank } from '../../store/tasks.ts'
import * as transfer from '../../store/transfer.ts'
import type { Write } from '../context.ts'
import type { Document } from './document.ts'
import type { Of } from './records.ts'
import type { Places } from './references.ts'

export interface Readable {
  document: Document
  places: Places
}

/** Makes an empty project the one that was exported, down to its ids, its log and its counters. */
export const takeOver = async ({ db }: Pick<Write, 'db'>, { document, places }: Readable) => {
  const tasks = parentsFirst(document.task, places)
  for (const task of tasks) await writeTask(db, task, places.get(task.id)!.root)
  for (const { id, depends } of tasks) await lists.write(db, 'depends', id, depends)
  for (const session of document.session) await writeSession(db, session)
  for (const { id, notes } of tasks)
    for (const note of notes) await writeNote(db, note, { task: id, session: note.session ?? null })
  for (const { task, owner, epoch, state, expiresAt } of document.claim)
    await transfer.insertClaim(db, { task, owner, epoch, state, expires_at: ms(expiresAt) })
  for (const { session, agent, task, since } of document.focus)
    await transfer.insertFocus(db, { session, agent, task, since: ms(since) })
  for (const entry of document.audit) await writeAudit(db, entry)
  const highest = document.task.reduce((most, { id }) => Math.max(most, taskNumber(id)), 0)
  await transfer.setCounter(db, { name: 'task', value: highest })
  for (const { name, value } of document.counter) await transfer.setCounter(db, { name, value })
  await transfer.recount(db, 0, rootsOf(tasks))
  await db.dialect.afterCopy?.(db)
  return { imported: tasks.length, mapped: [], left: [] }
}

type Db = Write['db']
type Task = Of<'task'>

export const parentsFirst = (tasks: readonly Task[], places: Places): Task[] =>
  tasks.toSorted((a, b) => places.get(a.id)!.depth - places.get(b.id)!.depth)

export const rootsOf = (tasks: readonly Task[]): string[] =>
  tasks.filter(({ parent }) => parent === undefined).map(({ id }) => id)

const ms = (time: string): number => Date.parse(time)

/** The task with its own lists; what it depends on may not be there yet. */
export const writeTask = async (db: Db, task: Task, root: string): Promise<void> => {
  const { id, title, description, type, status, size, completes, origin, epoch } = task
  await transfer.insertTask(db, {
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
  })
  await lists.write(db, 'labels', id, task.labels)
  await lists.write(db, 'files', id, task.files)
  await criteria.write(db, id, task.criteria)
}

const writeNote = (
  db: Db,
  { seq, at, by, text }: Task['notes'][number],
  on: { task: string | null; session: string | null },
) => transfer.insertNote(db, { seq, ...on, at: ms(at), actor: by, text })

const writeSession = async (db: Db, session: Of<'session'>): Promise<void> => {
  const { seq, id, name, scope, status, actor, startedAt, endedAt, notes } = session
  await transfer.insertSession(db, {
    seq,
    id,
    name,
    scope: scope ?? null,
    status,
    actor,
    started_at: ms(startedAt),
    ended_at: endedAt === undefined ? null : ms(endedAt),
  })
  for (const note of notes) await writeNote(db, note, { task: null, session: id })
}

const writeAudit = (db: Db, entry: Of<'audit'>): Promise<void> => {
  const { seq, at, actor, session, operation, task, before, after } = entry
  return transfer.insertAudit(db, {
    seq,
    at: ms(at),
    actor,
    session: session ?? null,
    operation,
    task: task ?? null,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  })
}
