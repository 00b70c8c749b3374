import { taskId, taskNumber } from '../kernel/task-id.ts'
import type { Write } from '../operation/context.ts'
import { type RecordKind, recordKinds } from '../store/tables.ts'
import { reserveNumbers } from '../tasks/sql/tasks.ts'
import { type ImportSource, parentsFirst, writeTasks } from './import-into-empty.ts'
import type { Document, ExportRecord } from './records.ts'
import { insertNotes, recount } from './sql.ts'

type Task = ExportRecord<'task'>

/** The tasks get new ids, in the same order. */
export const importIntoExisting = async (tx: Write, { document, places, names }: ImportSource) => {
  const { db } = tx
  const inOrder = document.task.toSorted((a, b) => taskNumber(a.id) - taskNumber(b.id))
  const numbers = await reserveNumbers(db, inOrder.length)
  const ids = new Map(inOrder.map(({ id }, i) => [id, taskId(numbers[i]!)]))
  const here = (id: string) => ids.get(id)!
  const there = (id: string) => names?.get(id) ?? id
  const renamed = (task: Task): Task => ({
    ...task,
    id: here(task.id),
    parent: task.parent && here(task.parent),
    depends: task.depends.map(here),
    // Claims are not imported, so no agent works on the task. Its attempts start from one again.
    status: task.status === 'active' ? 'pending' : task.status,
    epoch: 0,
  })
  const tasks = parentsFirst(document.task, places)
  const roots = new Map(tasks.map(({ id }) => [here(id), here(places.get(id)!.root)]))
  await writeTasks(db, tasks.map(renamed), (id) => roots.get(id)!)
  await insertNotes(
    db,
    inOrder.flatMap(({ id, notes }) =>
      notes.map(({ at, by, text }) => ({
        task: here(id),
        session: null,
        at: Date.parse(at),
        actor: by,
        text,
      })),
    ),
  )
  await tx.recordAdded(
    inOrder.map(({ id, title }) => ({ task: here(id), after: { imported: there(id), title } })),
  )
  if (numbers.length > 0) await recount(db, numbers[0]! - 1)
  return {
    imported: tasks.length,
    mapped: [...ids].map(([from, to]) => ({ from: there(from), to })),
    left: leftOutCounts(document, names ? new Map() : ids),
  }
}

/** Record kinds that `leftOutCounts` counts separately. It counts all other kinds together. */
const kindsWithOwnLine: ReadonlySet<RecordKind> = new Set([
  'counter',
  'task',
  'session',
  'claim',
  'focus',
  'spawn',
  'entry',
  'audit',
])

const leftOutCounts = (document: Document, ids: ReadonlyMap<string, string>) => {
  const { task, session, claim, focus, spawn, entry, audit } = document
  const active = task.filter(({ status }) => status === 'active')
  const linked = task.flatMap(({ notes }) => notes).filter(({ session }) => session !== undefined)
  const others = recordKinds.filter((kind) => !kindsWithOwnLine.has(kind))
  const naming = task.filter((task) => mentionsRenumbered(task, ids))
  return [
    { what: 'sessions with their notes', count: session.length, why: 'they ran in the other project' },
    { what: 'links from notes to sessions', count: linked.length, why: 'sessions are not imported' },
    { what: 'claims', count: claim.length, why: 'tasks are claimed separately in each project' },
    {
      what: 'tasks in focus',
      count: focus.length,
      why: 'focus belongs to the sessions of the other project',
    },
    {
      what: 'tasks that were active',
      count: active.length,
      why: 'no agent has claimed them here, so they are pending',
    },
    { what: 'spawns', count: spawn.length, why: 'their prompts name the ids of the other project' },
    { what: 'manifest entries', count: entry.length, why: 'their ids are those of the other project' },
    {
      what: 'links, evidence, votes, memories and similar records',
      count: others.reduce((count, kind) => count + document[kind].length, 0),
      why: 'they belong to work in the other project',
    },
    {
      what: 'lines of the audit log',
      count: audit.length,
      why: 'they belong to the history of the other project',
    },
    { what: 'tasks whose text names old ids', count: naming.length, why: 'texts are not rewritten' },
  ].filter(({ count }) => count > 0)
}

const mentionsRenumbered = (task: Task, ids: ReadonlyMap<string, string>): boolean => {
  const texts = [task.title, task.description, task.reason ?? '']
  for (const { text } of [...task.criteria, ...task.notes]) texts.push(text)
  const named = texts.join('\n').match(/\bT\d{3,}\b/g) ?? []
  return named.some((id) => (ids.get(id) ?? id) !== id)
}
