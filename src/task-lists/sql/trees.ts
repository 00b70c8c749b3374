import { statuses } from '../../kernel/task.ts'
import { type Db, marks, portions } from '../../store/port.ts'
import type { TaskRow } from '../../store/rows.ts'
import { openOnes, totalOf } from '../../tasks/sql/counts.ts'
import { type ListRow, page } from '../../tasks/sql/list.ts'

export interface TreeOptions {
  open: boolean
  limit: number
}

/**
 * Returns the first tasks, one tree after the other, oldest tree first. If `open` is true, skips trees with a closed
 * root, because they have no open tasks.
 */
export const firstTrees = async (db: Db, { open, limit }: TreeOptions): Promise<ListRow[]> => {
  const rows: ListRow[] = []
  for (const root of await page(db, { open, top: true, limit })) {
    if (root.children === 0) rows.push(root)
    else rows.push(...(await page(db, { open, root: root.id, limit: limit - rows.length })))
    if (rows.length >= limit) break
  }
  return rows
}

/** The tasks are ordered by level, and by creation within a level. */
export const firstBelow = async (db: Db, top: TaskRow, { open, limit }: TreeOptions): Promise<ListRow[]> => {
  const rows: ListRow[] = []
  for (let level = await page(db, { open, parent: top.id, limit }); level.length > 0; ) {
    rows.push(...level)
    if (rows.length >= limit) break
    const parents: string[] = []
    for (const { id, children } of level) if (children > 0) parents.push(id)
    level = await childrenOf(db, parents, open)
  }
  return rows.slice(0, limit)
}

const childrenOf = async (db: Db, parents: readonly string[], open: boolean): Promise<ListRow[]> => {
  const wanted = open ? openOnes : statuses
  const rows: ListRow[] = []
  for (const some of portions(parents))
    rows.push(
      ...(await db.all<ListRow>(
        `SELECT * FROM tasks WHERE parent IN (${marks(some.length)}) AND status IN (${marks(wanted.length)})`,
        ...some,
        ...wanted,
      )),
    )
  return rows.sort((a, b) => a.seq - b.seq)
}

/** Counts a task and all tasks below it. If `open` is true, does not count the closed tasks below it. */
export const countTree = async (db: Db, top: TaskRow, open: boolean): Promise<number> => {
  const wanted: readonly string[] = open ? openOnes : statuses
  if (top.parent === null) {
    const total = await totalOf(db, open ? openOnes : statuses, top.id)
    return wanted.includes(top.status) ? total : total + 1
  }
  // A tree has at most three levels, so if the task is not the root, its children have no children.
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM tasks WHERE parent = ? AND status IN (${marks(wanted.length)})`,
    top.id,
    ...wanted,
  )
  return 1 + Number(row!.n)
}
