import { findCycle } from '../graph/waits.ts'
import type { Actor } from '../kernel/actor.ts'
import { type Failure, type Fault, fail, failAll } from '../kernel/result.ts'
import type { TaskType } from '../kernel/task.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Write } from '../operation/context.ts'
import { type Db, portions } from '../store/port.ts'
import { isHoldingBack } from '../store/rows.ts'
import { mergeCriteria } from './acceptance.ts'
import { cycleRefusal } from './cycles.ts'
import type { FieldCode } from './editable-fields.ts'
import { placeNew } from './place-new.ts'
import { type NewTaskRow, namesOf, type Plan, type Planned, plan } from './plan-new.ts'
import * as counts from './sql/counts.ts'
import * as criteria from './sql/criteria.ts'
import { anyDepends, waitingOn } from './sql/graph.ts'
import * as lists from './sql/lists.ts'
import * as tasks from './sql/tasks.ts'
import { type WaitsOn, waitsOn, waitsOnNothing } from './waits-on.ts'

export interface InsertedTask {
  id: string
  title: string
  type: TaskType
  waitsOn: WaitsOn
  key?: string
  rootType: TaskType
  children: number
}

/**
 * Adds all rows or none. A refusal lists the problems of all rows. Everything is checked and counted before the first
 * row is written, so that a batch is written with few statements.
 */
export const insertTasks = async (
  write: Write,
  rows: readonly NewTaskRow[],
  actor: Actor,
): Promise<InsertedTask[] | Failure<FieldCode>> => {
  const faults: Fault<FieldCode>[] = []
  const numbers = await tasks.reserveNumbers(write.db, rows.length)
  const { made, stored } = await checkRows(write.db, numbers, rows, faults)
  if (faults.length > 0) return failAll(faults as [Fault<FieldCode>, ...Fault<FieldCode>[]])
  const { planned } = made
  // Only spawns need this check, and they add few tasks. So the code of the check is loaded on demand.
  if (parseSpawnId(actor.id)) {
    const { refuseForeignParents } = await import('./own-work.ts')
    await refuseForeignParents(
      write,
      planned.flatMap(({ parent }) => (parent && stored.has(parent) ? [parent] : [])),
    )
  }

  const ordered = parentsFirst(planned)
  await counts.addCounts(write.db, await countAll(write, ordered, made.own, stored))
  for (const some of portions(ordered, 2000)) await insertSome(write, some, actor)
  for (const some of portions(planned, 2000)) {
    const needs: [string, readonly string[]][] = []
    for (const { id, depends } of some) needs.push([id, depends])
    await lists.writeMany(write.db, 'depends', needs)
  }
  return recordAll(write, made, stored)
}

/**
 * Collects the problems that adding these rows would cause. Writes nothing, so that other writers do not have to wait.
 */
export const examineRows = async (
  db: Db,
  rows: readonly NewTaskRow[],
  faults: Fault<FieldCode>[],
): Promise<void> => {
  await checkRows(db, await tasks.nextNumbers(db, rows.length), rows, faults)
}

const checkRows = async (
  db: Db,
  numbers: readonly number[],
  rows: readonly NewTaskRow[],
  faults: Fault<FieldCode>[],
) => {
  const made = plan(numbers, rows, faults)
  const stored = await tasks.withAncestors(db, made.outside)
  placeNew(made, stored, faults)
  checkDependencies(made, stored, faults)
  await checkCycles(db, made, stored, faults)
  return { made, stored }
}

const checkDependencies = (
  { planned, own, needsOutside }: Plan,
  stored: ReadonlyMap<string, unknown>,
  faults: Fault<FieldCode>[],
): void => {
  for (const task of planned) {
    if (!needsOutside && task.unknownIds.size === 0) continue
    const missing: string[] = []
    for (const id of task.depends)
      if (task.unknownIds.has(id) || !(own.has(id) || stored.has(id))) missing.push(id)
    if (missing.length === 0) continue
    faults.push({ path: task.at('depends'), failure: fail('dependency.not_found', { ids: missing }) })
    task.depends = task.depends.filter((id) => !missing.includes(id))
  }
}

const checkCycles = async (
  db: Db,
  { planned, needsOutside }: Plan,
  stored: ReadonlyMap<string, unknown>,
  faults: Fault<FieldCode>[],
): Promise<void> => {
  const added = []
  const waiting: string[] = []
  let first: Planned | undefined
  for (const task of planned) {
    const { id, seq, parent, depends } = task
    added.push({ id, seq, parent: parent || null, needs: depends })
    if (depends.length === 0) continue
    waiting.push(id)
    first ??= task
  }
  if (!first) return
  // A cycle can contain stored tasks only if a new row or a stored ancestor depends on a stored task. If none of them
  // does, it is enough to search the new rows.
  if (!needsOutside && !findCycle(added) && !(await anyDepends(db, stored.keys()))) return
  const cycle = findCycle(await waitingOn(db, waiting, added))
  if (cycle) faults.push({ path: first.at('depends'), failure: cycleRefusal(cycle, namesOf(planned)) })
}

const parentsFirst = (planned: readonly Planned[]): Planned[] => {
  const ordered: Planned[] = []
  for (let depth = 1; ordered.length < planned.length; depth++)
    for (const task of planned) if (task.place.depth === depth) ordered.push(task)
  return ordered
}

/** Sets the counts of the new tasks. Returns how many children and dependents each stored task gets from them. */
const countAll = async (
  { db }: Write,
  ordered: readonly Planned[],
  own: ReadonlyMap<string, Planned>,
  stored: ReadonlyMap<string, tasks.TreeRow>,
): Promise<Map<string, counts.AddedCounts>> => {
  const changed = new Map<string, counts.AddedCounts>()
  const countsOf = (id: string): counts.AddedCounts => {
    const known = own.get(id)?.counts ?? changed.get(id)
    if (known) return known
    const none = { children: 0, unblocks: 0 }
    changed.set(id, none)
    return none
  }
  const waitsOfStored = new Map<string, WaitsOn>()
  const waitsOf = async (parent: string): Promise<WaitsOn> => {
    // If a stored task has no blockers, the task and its ancestors wait on nothing.
    if (stored.get(parent)!.blockers === 0) return waitsOnNothing
    const known = waitsOfStored.get(parent) ?? waitsOn(await tasks.openNeeds(db, parent), waitsOnNothing)
    waitsOfStored.set(parent, known)
    return known
  }
  for (const task of ordered) {
    const { parent, depends } = task
    const open: string[] = []
    for (const need of depends) {
      countsOf(need).unblocks++
      if (own.has(need) || isHoldingBack(stored.get(need)!, task.place.root)) open.push(need)
    }
    const row = parent ? own.get(parent) : undefined
    if (parent) countsOf(parent).children++
    const above = row ? row.waitsOn : parent ? await waitsOf(parent) : waitsOnNothing
    task.blockers = open.length + (row ? row.blockers : parent ? stored.get(parent)!.blockers : 0)
    task.waitsOn = waitsOn(open, above)
  }
  return changed
}

const insertSome = async ({ db, now }: Write, some: readonly Planned[], actor: Actor): Promise<void> => {
  const added = []
  const labels: [string, readonly string[]][] = []
  const files: [string, readonly string[]][] = []
  const accepted: [string, readonly criteria.Criterion[]][] = []
  for (const { row, id, seq, parent, place, counts, blockers } of some) {
    const { type, root } = place
    added.push({
      seq,
      id,
      type,
      parent: parent || null,
      root,
      key: row.storedKey ?? null,
      origin: actor.id,
      blockers,
      ...counts,
      fields: row,
      now,
    })
    if (row.labels) labels.push([id, row.labels])
    if (row.files) files.push([id, row.files])
    accepted.push([id, mergeCriteria(row.acceptance ?? [], row.description ?? '', [])])
  }
  await tasks.insertMany(db, added)
  await lists.writeMany(db, 'labels', labels)
  await lists.writeMany(db, 'files', files)
  await criteria.writeMany(db, accepted)
}

const recordAll = async (
  write: Write,
  { planned, own }: Plan,
  stored: ReadonlyMap<string, tasks.TreeRow>,
): Promise<InsertedTask[]> => {
  const inserted: InsertedTask[] = []
  for (const some of portions(planned)) {
    const changes = []
    for (const { id, row, parent, depends, place, waitsOn, counts } of some) {
      const { key, storedKey, ...fields } = { ...row, type: place.type, parent, depends }
      changes.push({ task: id, after: { ...fields, ...(storedKey && { key: storedKey }) } })
      write.emit('task.added', id)
      const rootType = own.get(place.root)?.place.type ?? stored.get(place.root)!.type
      const { children } = counts
      inserted.push({ id, title: row.title, type: place.type, waitsOn, key, rootType, children })
    }
    await write.recordAdded(changes)
  }
  return inserted
}
