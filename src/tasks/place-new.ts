import { type Failure, type Fault, fail } from '../kernel/result.ts'
import { cycleRefusal } from './cycles.ts'
import type { FieldCode } from './editable-fields.ts'
import { type Parent, placeBelow } from './placement.ts'
import { namesOf, type Plan, type Planned } from './plan-new.ts'
import type { TreeRow } from './sql/tasks.ts'

/** Places parents before their children, whatever the order of the rows. */
export const placeNew = (
  { planned, own }: Plan,
  stored: ReadonlyMap<string, TreeRow>,
  faults: Fault<FieldCode>[],
): void => {
  const isPlaced = ({ place }: Planned) => place.depth > 0
  const refuse = (task: Planned, failure: Failure<FieldCode>) => {
    faults.push({ path: task.at('parent'), failure })
    task.parent = undefined
    task.place = { type: task.row.type ?? 'task', root: task.id, depth: 1 }
  }
  const rowAbove = ({ parent, unknownIds }: Planned): Planned | undefined =>
    parent && !unknownIds.has(parent) ? own.get(parent) : undefined
  const parentOf = (task: Planned): Parent | undefined => {
    const row = rowAbove(task)
    if (row) return { ...row.place, id: row.id, status: 'pending' }
    return task.parent ? storedParent(stored, task.parent) : undefined
  }
  const place = (task: Planned): void => {
    task.place = { type: 'task', root: task.id, depth: 1 }
    if (task.parent === '') return
    const parent = parentOf(task)
    if (task.parent && !parent) return refuse(task, fail('parent.not_found', { id: task.parent }))
    const found = placeBelow(task.id, task.row.type, parent)
    if (!Array.isArray(found)) task.place = found
    else for (const failure of found) refuse(task, failure)
  }

  /** Places a row. First places all its ancestors that have no place yet, from the top down. Refuses a cycle. */
  const placeLine = (task: Planned): void => {
    const line = new Set<Planned>()
    let row: Planned | undefined = task
    while (row && !isPlaced(row) && !line.has(row)) {
      line.add(row)
      row = rowAbove(row)
    }
    if (row && !isPlaced(row)) {
      const ids = [...line].map(({ id }) => id)
      const path = [...ids.slice(ids.indexOf(row.id)), row.id]
      refuse(row, cycleRefusal({ path, contains: true }, namesOf(planned)))
    }
    for (const each of [...line].reverse()) if (!isPlaced(each)) place(each)
  }

  for (const task of planned) {
    if (isPlaced(task)) continue
    const above = rowAbove(task)
    if (above && !isPlaced(above)) placeLine(task)
    else place(task)
  }
}

const storedParent = (stored: ReadonlyMap<string, TreeRow>, id: string): Parent | undefined => {
  const row = stored.get(id)
  if (!row) return undefined
  let depth = 1
  for (let above = row.parent; above && depth < 4; above = stored.get(above)?.parent ?? null) depth++
  return { id, type: row.type, status: row.status, root: row.root, depth }
}
