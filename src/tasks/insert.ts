import type { Actor } from '../kernel/actor.ts'
import type { Code } from '../kernel/refusal-catalogue.ts'
import { type Failure, type Fault, fail, failAll } from '../kernel/result.ts'
import type { TaskType } from '../kernel/task.ts'
import { parseTaskId, taskId, taskNumber } from '../kernel/task-id.ts'
import type { Write } from '../operation/context.ts'
import { mergeCriteria } from './acceptance.ts'
import { cycleRefusal, cycleThrough } from './cycles.ts'
import { type Parent, parentOf, placeBelow, type TreePlace } from './placement.ts'
import * as counts from './sql/counts.ts'
import * as criteria from './sql/criteria.ts'
import * as lists from './sql/lists.ts'
import * as tasks from './sql/tasks.ts'

/** A task to add. `parent` and `depends` contain ids of existing tasks or keys of other rows in the same call. */
export interface NewTaskRow extends tasks.TaskFields {
  key?: string
  title: string
  type?: TaskType
  parent?: string
  depends?: readonly string[]
  labels?: readonly string[]
  files?: readonly string[]
  acceptance?: readonly string[]
}

export interface InsertedTask {
  id: string
  title: string
  type: TaskType
  key?: string
}

export const insertErrors = [
  'input.invalid',
  'parent.not_found',
  'parent.invalid',
  'parent.closed',
  'depth.exceeded',
  'dependency.not_found',
  'cycle',
] as const satisfies Code[]
type InsertCode = (typeof insertErrors)[number]

interface Planned {
  row: NewTaskRow
  at: (field: string) => string
  id: string
  seq: number
  parent?: string
  depends: string[]
  /** Ids in `parent` or `depends` that no task has. */
  unknownIds: ReadonlySet<string>
}

/** Adds all rows or none. The refusal lists the faults of all rows. */
export const insertTasks = async (
  write: Write,
  rows: readonly NewTaskRow[],
  actor: Actor,
  faults: Fault<InsertCode>[] = [],
): Promise<InsertedTask[] | Failure<InsertCode>> => {
  const planned = await plan(write, rows, faults)
  const places = await placeAll(write, planned, faults)
  await checkDependencies(write, planned, faults)

  // Rows are written even if there are faults, so that the refusal can report a cycle too. The refusal rolls back
  // everything.
  for (const task of planned.toSorted((a, b) => places.get(a.id)!.depth - places.get(b.id)!.depth)) {
    await insertOne(write, task, places.get(task.id)!, actor)
  }
  for (const { id, depends } of planned) {
    await lists.write(write.db, 'depends', id, depends)
    await lists.countDependents(write.db, depends, 1)
  }
  const waiting = planned.filter(({ depends }) => depends.length > 0)
  const cycle = await cycleThrough(
    write.db,
    waiting.map(({ id }) => id),
    namesOf(planned),
  )
  if (cycle) faults.push({ path: waiting[0]!.at('depends'), failure: cycle })
  if (faults.length > 0) return failAll(faults as [Fault<InsertCode>, ...Fault<InsertCode>[]])

  await counts.recount(
    write.db,
    planned.map(({ id }) => id),
  )
  for (const { id, row, parent, depends } of planned) {
    const { key: _, ...after } = { ...row, type: places.get(id)!.type, parent, depends }
    await write.record({ task: id, after })
    write.emit('task.added', id)
  }
  return planned.map(({ id, row }) => ({ id, title: row.title, type: places.get(id)!.type, key: row.key }))
}

/** Gives every row an id and replaces keys by ids. */
const plan = async (
  { db }: Write,
  rows: readonly NewTaskRow[],
  faults: Fault<InsertCode>[],
): Promise<Planned[]> => {
  const numbers = await tasks.reserveNumbers(db, rows.length)
  const keys = new Map<string, string>()
  const where = (i: number) => (field: string) =>
    rows.length === 1 && rows[0]!.key === undefined ? field : `batch.${i}.${field}`
  rows.forEach(({ key }, i) => {
    if (key === undefined) return
    if (keys.has(key)) faults.push(fault(where(i)('key'), `"${key}" is already the key of an earlier row`))
    keys.set(key, taskId(numbers[i]!))
  })
  return rows.map((row, i) => {
    const at = where(i)
    // The ids of this call are new, so the caller cannot know them: a row refers to another row only by its key.
    const unknownIds = new Set<string>()
    const idOf = (reference: string, field: string): string => {
      const key = keys.get(reference)
      const id = key ?? parseTaskId(reference)
      if (!id)
        faults.push(fault(at(field), `"${reference.slice(0, 40)}" is neither a task id nor a key of a row`))
      else if (!key && taskNumber(id) >= numbers[0]!) unknownIds.add(id)
      return id ?? ''
    }
    const parent = row.parent === undefined ? undefined : idOf(row.parent, 'parent')
    const depends = [...new Set((row.depends ?? []).map((reference) => idOf(reference, 'depends')))]
    return {
      row,
      at,
      seq: numbers[i]!,
      id: taskId(numbers[i]!),
      parent,
      depends: depends.filter((id) => id !== ''),
      unknownIds,
    }
  })
}

const namesOf = (planned: readonly Planned[]): Map<string, string> =>
  new Map(planned.map(({ id, row, at }) => [id, row.key ?? (at('') || 'the new task').replace(/\.$/, '')]))

const fault = (path: string, message: string): Fault<InsertCode> => ({
  path,
  failure: fail('input.invalid', { problems: [{ path, message }] }),
})

/**
 * Decides the type, root and depth of every row. Parents are placed before their children, whatever the order of the
 * rows.
 */
const placeAll = async (
  { db }: Write,
  planned: Planned[],
  faults: Fault<InsertCode>[],
): Promise<Map<string, TreePlace>> => {
  const places = new Map<string, TreePlace>()
  const own = new Map(planned.map((task) => [task.id, task]))
  const known = new Map<string, Parent | undefined>()
  const refuse = (task: Planned, failure: Failure<InsertCode>) => {
    faults.push({ path: task.at('parent'), failure })
    task.parent = undefined
    places.set(task.id, { type: task.row.type ?? 'task', root: task.id, depth: 1 })
  }
  const place = async (task: Planned, above: string[]): Promise<void> => {
    if (places.has(task.id)) return
    if (above.includes(task.id)) {
      const path = [...above.slice(above.indexOf(task.id)), task.id]
      return refuse(task, cycleRefusal({ path, contains: true }, namesOf(planned)))
    }
    if (task.parent === '') return void places.set(task.id, { type: 'task', root: task.id, depth: 1 })
    const beside = task.parent !== undefined && !task.unknownIds.has(task.parent)
    const row = beside ? own.get(task.parent!) : undefined
    if (row) await place(row, [...above, task.id])
    if (task.parent && !row && !known.has(task.parent))
      known.set(task.parent, await parentOf(db, task.parent))
    const parent = row
      ? { ...places.get(row.id)!, id: row.id, status: 'pending' as const }
      : known.get(task.parent ?? '')
    if (task.parent && !parent) return refuse(task, fail('parent.not_found', { id: task.parent }))
    if (places.has(task.id)) return
    const found = placeBelow(task.id, task.row.type, parent)
    if (!Array.isArray(found)) return void places.set(task.id, found)
    for (const failure of found) refuse(task, failure)
  }
  for (const task of planned) await place(task, [])
  return places
}

const checkDependencies = async (
  { db }: Write,
  planned: Planned[],
  faults: Fault<InsertCode>[],
): Promise<void> => {
  const own = new Set(planned.map(({ id }) => id))
  const outside = [...new Set(planned.flatMap(({ depends }) => depends))].filter((id) => !own.has(id))
  const found = await tasks.findMany(db, outside)
  for (const task of planned) {
    const missing = task.depends.filter((id) => task.unknownIds.has(id) || !(own.has(id) || found.has(id)))
    if (missing.length === 0) continue
    faults.push({ path: task.at('depends'), failure: fail('dependency.not_found', { ids: missing }) })
    task.depends = task.depends.filter((id) => !missing.includes(id))
  }
}

const insertOne = async (
  { db, now }: Write,
  { row, id, seq, parent }: Planned,
  place: TreePlace,
  actor: Actor,
) => {
  await tasks.insert(db, {
    seq,
    fields: row,
    type: place.type,
    parent: parent || null,
    root: place.root,
    origin: actor.id,
    now,
  })
  await lists.write(db, 'labels', id, row.labels ?? [])
  await lists.write(db, 'files', id, row.files ?? [])
  await criteria.write(db, id, mergeCriteria(row.acceptance ?? [], row.description ?? '', []))
}
