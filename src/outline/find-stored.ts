import type { Problem } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as rows from '../tasks/sql/tasks.ts'
import type { OutlineTask } from './outline-tasks.ts'
import * as sql from './sql.ts'

/**
 * Finds the stored task of each item by its id or, without an id, by its key. A key is looked up among these tasks:
 * - With `parent`: all tasks in the tree that contains `parent`.
 * - Without `parent`, for a top item: the tasks that have no parent.
 * - Without `parent`, for any other item: all tasks in the tree of its top item.
 */
export const findStored = async (
  db: Db,
  tasks: readonly OutlineTask[],
  parent: TaskRow | undefined,
  problems: Problem[],
): Promise<{ stored: Map<OutlineTask, TaskRow>; known: TaskRow[] }> => {
  const stored = new Map<OutlineTask, TaskRow>()
  const named = tasks.flatMap(({ id, depends = [] }) =>
    [id, ...depends].filter((each) => typeof each === 'string'),
  )
  const byId = await rows.findMany(db, [...new Set(named)])
  const tops = tasks.filter(({ above }) => !above)
  const roots = parent
    ? []
    : await sql.rootsWithKeys(
        db,
        tops.map(({ key }) => key),
      )
  const rootOf = new Map(roots.map((row) => [row.key!, row]))
  const known: TaskRow[] = []
  const keysIn = new Map<string, Map<string, TaskRow>>()
  const keyed = async (root: string): Promise<Map<string, TaskRow>> => {
    const have = keysIn.get(root)
    if (have) return have
    const found = await sql.withKeysIn(db, root)
    const map = new Map(found.map((row) => [row.key!, row]))
    keysIn.set(root, map)
    for (const row of found) if (!parent || row.parent === parent.id) known.push(row)
    return map
  }
  const taken = new Map<string, OutlineTask>()
  for (const task of tasks) {
    const { id, key, item, above, top } = task
    for (const need of task.depends ?? [])
      if (typeof need === 'string' && !byId.has(need))
        problems.push({
          path: `line ${item.line}`,
          message: `after: there is no task ${need}`,
          fix: 'cleo list',
        })
    const rootRow = parent ?? stored.get(top)
    const row = id
      ? byId.get(id)
      : !above && !parent
        ? rootOf.get(key)
        : rootRow && (await keyed(rootRow.root)).get(key)
    if (id && !row)
      problems.push({ path: `line ${item.line}`, message: `there is no task ${id}`, fix: 'cleo list' })
    if (!row || row.id === parent?.id) continue
    const earlier = taken.get(row.id)
    if (earlier)
      problems.push({
        path: `line ${item.line}`,
        message: `is the same task as line ${earlier.item.line}: ${row.id}`,
      })
    taken.set(row.id, task)
    stored.set(task, row)
  }
  return { stored, known }
}
