import type { Status } from '../../kernel/task.ts'
import { type Db, marks, portions } from '../../store/port.ts'
import { openStatuses, type TaskRow } from '../../store/rows.ts'
import { readMany } from './lists.ts'

export interface GraphNode {
  id: string
  parent: string | null
  status: Status
  title: string
}

export interface GraphNeed {
  task: string
  needs: string
  status: Status
}

type Top = Pick<TaskRow, 'id' | 'root'>

// A task without a parent is the root of all tasks below it. The index on `root` finds these four times as fast as
// recursion.
const isRoot = ({ id, root }: Top): boolean => id === root

const below = `WITH RECURSIVE below (id, level) AS (
  SELECT id, 0 FROM tasks WHERE id = ?
  UNION ALL SELECT t.id, level + 1 FROM tasks t JOIN below ON t.parent = below.id)`

/** Returns a task and all tasks below it, parents before children. */
export const treeBelow = (db: Db, top: Top): Promise<GraphNode[]> =>
  db.all<GraphNode>(
    isRoot(top)
      ? `SELECT id, parent, status, title FROM tasks WHERE root = ?
         ORDER BY CASE WHEN id = root THEN 0 WHEN parent = root THEN 1 ELSE 2 END, seq`
      : `${below} SELECT tasks.id AS id, parent, status, title FROM below JOIN tasks ON tasks.id = below.id
         ORDER BY level, seq`,
    top.id,
  )

/** Returns the dependencies of the open tasks in the tree below a task. */
export const needsBelow = (db: Db, top: Top): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    `${isRoot(top) ? '' : below} SELECT d.task AS task, d.needs AS needs, n.status AS status
     FROM ${isRoot(top) ? 'tasks t' : 'below JOIN tasks t ON t.id = below.id'}
       JOIN depends d ON d.task = t.id JOIN tasks n ON n.id = d.needs
     WHERE t.status IN ${openStatuses} ${isRoot(top) ? 'AND t.root = ?' : ''}`,
    top.id,
  )

export const needsOf = (db: Db, task: string): Promise<GraphNeed[]> =>
  db.all<GraphNeed>(
    'SELECT d.task AS task, d.needs AS needs, n.status AS status FROM depends d JOIN tasks n ON n.id = d.needs WHERE d.task = ?',
    task,
  )

interface WaitingRow {
  seq: number
  id: string
  parent: string | null
}

/**
 * Returns the tasks that wait, directly or indirectly, for the given tasks to start or be done. A dependent waits
 * until the tasks it needs are done, a parent is done after its children, and a child can start once its parent can.
 * Each level is read by index.
 */
export const waitingOn = async (db: Db, ids: readonly string[]) => {
  const starts = new Set<string>()
  const ends = new Set<string>()
  const rows = new Map<string, WaitingRow>()
  let newStarts = unseen(ids, starts)
  let newEnds: string[] = []
  while (newStarts.length > 0 || newEnds.length > 0) {
    // A task that starts later is also done later.
    const ending = [...newEnds, ...unseen(newStarts, ends)]
    await readRows(db, ending, rows)
    const below = await select(db, 'SELECT id FROM tasks WHERE parent', newStarts)
    const dependents = await select(db, 'SELECT task AS id FROM depends WHERE needs', ending)
    newStarts = unseen([...below, ...dependents], starts)
    newEnds = unseen(parentsOf(ending, rows), ends)
  }
  const around = inOrder(ids, rows)
  const needs = await readMany(db, 'depends', [...rows.keys()])
  return around.map(({ id, parent }) => ({ id, parent, needs: needs.get(id) ?? [] }))
}

/** Returns the ids that are not in `seen`, and adds them to `seen`. */
const unseen = (ids: readonly string[], seen: Set<string>): string[] => {
  const found: string[] = []
  for (const id of ids) {
    if (seen.has(id)) continue
    seen.add(id)
    found.push(id)
  }
  return found
}

const parentsOf = (ids: readonly string[], rows: ReadonlyMap<string, WaitingRow>): string[] => {
  const parents: string[] = []
  for (const id of ids) {
    const parent = rows.get(id)?.parent
    if (parent) parents.push(parent)
  }
  return parents
}

/** Sorts the given tasks first, the others by age, so that every database starts a cycle at the same task. */
const inOrder = (ids: readonly string[], rows: ReadonlyMap<string, WaitingRow>): WaitingRow[] => {
  const place = new Map(ids.map((id, i) => [id, i - ids.length]))
  const order = ({ id, seq }: WaitingRow) => place.get(id) ?? seq
  return [...rows.values()].sort((a, b) => order(a) - order(b))
}

const select = async (db: Db, query: string, ids: string[]): Promise<string[]> => {
  const found: string[] = []
  for (const some of portions(ids)) {
    for (const { id } of await db.all<{ id: string }>(`${query} IN (${marks(some.length)})`, ...some))
      found.push(id)
  }
  return found
}

const readRows = async (db: Db, ids: string[], into: Map<string, WaitingRow>): Promise<void> => {
  for (const some of portions(ids.filter((id) => !into.has(id)))) {
    const rows = await db.all<WaitingRow>(
      `SELECT seq, id, parent FROM tasks WHERE id IN (${marks(some.length)})`,
      ...some,
    )
    for (const row of rows) into.set(row.id, row)
  }
}
