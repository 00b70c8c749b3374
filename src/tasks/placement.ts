import { type Failure, fail } from '../kernel/result.ts'
import { closed, type Status, type TaskType } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { cycleRefusal } from './cycles.ts'
import { refuseForeignParents } from './own-work.ts'
import * as counts from './sql/counts.ts'
import * as tasks from './sql/tasks.ts'

const maxDepth = 3

export interface Parent {
  id: string
  type: TaskType
  status: Status
  root: string
  /** 1 for a task without a parent. */
  depth: number
}

export interface TreePlace {
  type: TaskType
  root: string
  depth: number
}

type PlaceRefusal = Failure<'parent.invalid' | 'parent.closed' | 'depth.exceeded' | 'input.invalid'>

/** If the task cannot be below this parent, returns all reasons. */
export const placeBelow = (
  id: string,
  given: TaskType | undefined,
  parent: Parent | undefined,
): TreePlace | PlaceRefusal[] => {
  const type = given ?? inferred(parent)
  if (!parent) {
    if (type !== 'subtask') return { type, root: id, depth: 1 }
    return [fail('input.invalid', { problems: [{ path: 'parent', message: 'a subtask needs a parent' }] })]
  }
  const depth = parent.depth + 1
  const faults: PlaceRefusal[] = []
  if (type === 'epic')
    faults.push(
      fail('parent.invalid', {
        parent: parent.id,
        why: 'the task is an epic, and an epic cannot have a parent',
      }),
    )
  if (closed(parent.status)) faults.push(fail('parent.closed', { parent: parent.id, status: parent.status }))
  if (parent.type === 'subtask')
    faults.push(
      fail('parent.invalid', {
        parent: parent.id,
        why: 'it is a subtask, and a subtask cannot have children',
      }),
    )
  if (depth > maxDepth) faults.push(fail('depth.exceeded', { parent: parent.id, depth }))
  return faults.length > 0 ? faults : { type, root: parent.root, depth }
}

const inferred = (parent: Parent | undefined): TaskType =>
  parent && parent.type !== 'epic' ? 'subtask' : 'task'

const parentOf = async (db: Write['db'], id: string): Promise<Parent | undefined> => {
  const line = await tasks.lineage(db, id)
  return line[0] && { ...line[0], depth: line.length }
}

type MoveRefusal = Failure<
  'parent.not_found' | 'parent.invalid' | 'parent.closed' | 'depth.exceeded' | 'input.invalid' | 'cycle'
>

/** Moves a task with everything below it to another parent, or changes its type. */
export const moveTask = async (
  write: Write,
  row: TaskRow,
  target: string | undefined,
  type: TaskType | undefined,
): Promise<MoveRefusal[]> => {
  const { db } = write
  const parentId = target === undefined ? row.parent : target === 'none' ? null : target
  const parent = parentId === null ? undefined : await parentOf(db, parentId)
  if (parentId !== null && !parent) return [fail('parent.not_found', { id: parentId })]
  const below = await tasks.descendants(db, row.id)
  if (parentId === row.id || below.some(({ id }) => id === parentId)) {
    const above = (await tasks.lineage(db, parentId!)).map(({ id }) => id)
    return [cycleRefusal({ path: [row.id, ...above.slice(0, above.indexOf(row.id) + 1)], contains: true })]
  }
  // If the caller gave no type, an epic stays an epic, and any other task gets its type from the new parent.
  const wanted = type ?? (row.type === 'epic' ? 'epic' : undefined)
  const moved = parentId !== row.parent
  const place = placeBelow(row.id, wanted, parent && !moved ? { ...parent, status: 'pending' } : parent)
  if (Array.isArray(place)) return place
  const levels = deepest(row.id, below)
  if (place.depth + levels > 3)
    return [fail('depth.exceeded', { parent: parentId ?? row.id, depth: place.depth + levels })]
  if (place.type === 'subtask' && below.length > 0) {
    return [
      fail('parent.invalid', {
        parent: row.id,
        why: 'it would become a subtask, and a subtask cannot have children',
      }),
    ]
  }
  await tasks.place(db, row.id, { type: place.type, parent: parentId, root: place.root })
  for (const { id } of below) await tasks.place(db, id, { root: place.root })
  if (moved) {
    if (parentId !== null) await refuseForeignParents(write, [parentId])
    await counts.countChild(db, row.parent, -1)
    await counts.countChild(db, parentId, 1)
    await counts.recountBlockers(db, row.id)
  }
  return []
}

/** Counts the levels below a task. */
const deepest = (id: string, below: readonly TaskRow[]): number => {
  const level = new Map([[id, 0]])
  let most = 0
  for (const row of below) {
    const own = level.get(row.parent!)! + 1
    level.set(row.id, own)
    most = Math.max(most, own)
  }
  return most
}
