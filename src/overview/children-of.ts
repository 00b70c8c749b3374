import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { workOn } from '../task-lists/wait-notes.ts'
import { page } from '../tasks/sql/list.ts'
import { toLine } from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { countsOf } from './counts.ts'

/** How many children are shown; `cleo tree` draws more. */
const mostChildren = 20

/** If the task is the root of a tree, also counts the tasks of the tree by status. */
export const childrenOf = async (
  db: Db,
  { id, parent, children: count }: TaskRow,
): Promise<Pick<Task, 'children' | 'moreChildren' | 'progress'>> => {
  const rows = await page(db, { parent: id, limit: mostChildren })
  const work = await workOn(db, rows)
  const children = rows.map((row) => {
    const { title, status, outcome } = toLine(row)
    return { id: row.id, title, status, ...(outcome && { outcome }), ...work.get(row.id) }
  })
  return {
    children,
    ...(count > rows.length && { moreChildren: count - rows.length }),
    ...(parent === null && { progress: await countsOf(db, id) }),
  }
}
