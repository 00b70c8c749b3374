import { type Fault, fail } from '../kernel/result.ts'
import type { TaskType } from '../kernel/task.ts'
import { parseTaskId, taskId, taskNumber } from '../kernel/task-id.ts'
import type { FieldCode } from './editable-fields.ts'
import type { TreePlace } from './placement.ts'
import type { AddedCounts } from './sql/counts.ts'
import type * as tasks from './sql/tasks.ts'
import { type WaitsOn, waitsOnNothing } from './waits-on.ts'

/** A task to add. `parent` and `depends` contain ids of existing tasks or keys of other rows in the same call. */
export interface NewTaskRow extends tasks.TaskFields {
  key?: string
  /** For a task of an outline: the key to store with the task. */
  storedKey?: string
  title: string
  type?: TaskType
  parent?: string
  depends?: readonly string[]
  labels?: readonly string[]
  files?: readonly string[]
  acceptance?: readonly string[]
}

export interface Planned {
  row: NewTaskRow
  at: (field: string) => string
  id: string
  seq: number
  parent?: string
  depends: string[]
  /** Ids in `parent` or `depends` that no task has. */
  unknownIds: ReadonlySet<string>
  /** The row's place in the tree. Its depth is 0 until the row is placed. */
  place: TreePlace
  counts: AddedCounts
  blockers: number
  waitsOn: WaitsOn
}

const unplaced: TreePlace = { type: 'task', root: '', depth: 0 }
const noIds: ReadonlySet<string> = new Set()

export interface Plan {
  planned: Planned[]
  /** The rows of `planned`, by their id. */
  own: ReadonlyMap<string, Planned>
  /** The ids in `parent` or `depends` that refer to stored tasks, not to rows of this call. */
  outside: ReadonlySet<string>
  needsOutside: boolean
}

/** Gives every row an id, from numbers that no task has yet, and replaces keys with ids. */
export const plan = (
  numbers: readonly number[],
  rows: readonly NewTaskRow[],
  faults: Fault<FieldCode>[],
): Plan => {
  const keys = new Map<string, string>()
  const where = (i: number) => (field: string) =>
    rows.length === 1 && rows[0]!.key === undefined ? field : `batch.${i}.${field}`
  for (const [i, { key }] of rows.entries()) {
    if (key === undefined) continue
    if (keys.has(key)) faults.push(fault(where(i)('key'), `"${key}" is already the key of an earlier row`))
    keys.set(key, taskId(numbers[i]!))
  }
  const planned: Planned[] = []
  const own = new Map<string, Planned>()
  const outside = new Set<string>()
  let needsOutside = false
  for (const [i, row] of rows.entries()) {
    const at = where(i)
    // The caller cannot know the ids of the new tasks, so a row must refer to another new row by its key. The ids that
    // the new tasks will get, and all higher ids, count as unknown.
    let unknownIds: Set<string> | undefined
    const idOf = (reference: string, field: string): string => {
      const key = keys.get(reference)
      if (key) return key
      const id = parseTaskId(reference)
      if (!id)
        faults.push(fault(at(field), `"${reference.slice(0, 40)}" is neither a task id nor a key of a row`))
      else if (taskNumber(id) >= numbers[0]!) unknownIds = (unknownIds ?? new Set()).add(id)
      else {
        outside.add(id)
        if (field === 'depends') needsOutside = true
      }
      return id ?? ''
    }
    const parent = row.parent === undefined ? undefined : idOf(row.parent, 'parent')
    const depends: string[] = []
    for (const reference of row.depends ?? []) {
      const need = idOf(reference, 'depends')
      if (need && !depends.includes(need)) depends.push(need)
    }
    const task: Planned = {
      row,
      at,
      seq: numbers[i]!,
      id: taskId(numbers[i]!),
      parent,
      depends,
      unknownIds: unknownIds ?? noIds,
      place: unplaced,
      counts: { children: 0, unblocks: 0 },
      blockers: 0,
      waitsOn: waitsOnNothing,
    }
    planned.push(task)
    own.set(task.id, task)
  }
  return { planned, own, outside, needsOutside }
}

/** Refusals show these names, because the caller never sees the ids of rows that are not added. */
export const namesOf = (planned: readonly Planned[]): Map<string, string> =>
  new Map(planned.map(({ id, row, at }) => [id, row.key ?? (at('') || 'the new task').replace(/\.$/, '')]))

const fault = (path: string, message: string): Fault<FieldCode> => ({
  path,
  failure: fail('input.invalid', { problems: [{ path, message }] }),
})
