import type { Status } from '../../kernel/task.ts'
import { type Db, marks, portions } from '../../store/port.ts'
import { openStatuses, type TaskRow } from '../../store/rows.ts'

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

// A task without a parent is the root of all tasks below it. Reading them through the index on `root` is four times as
// fast as recursion.
const isRoot = ({ id, root }: Top): boolean => id === root

const below = `WITH RECURSIVE below (id, level) AS (
  SELECT id, 0 FROM tasks WHERE id = ?
  UNION ALL SELECT t.id, level + 1 FROM tasks t JOIN below ON t.parent = below.id)`

/** Includes the task itself. Parents come before their children. */
export const treeBelow = (db: Db, top: Top): Promise<GraphNode[]> =>
  db.all<GraphNode>(
    isRoot(top)
      ? `SELECT id, parent, status, title FROM tasks WHERE root = ?
         ORDER BY CASE WHEN id = root THEN 0 WHEN parent = root THEN 1 ELSE 2 END, seq`
      : `${below} SELECT tasks.id AS id, parent, status, title FROM below JOIN tasks ON tasks.id = below.id
         ORDER BY level, seq`,
    top.id,
  )

/** Returns the dependencies of a task and of all tasks below it. Leaves out dependencies of closed tasks. */
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

export const anyDepends = async (db: Db, ids: Iterable<string>): Promise<boolean> => {
  for (const some of portions([...ids]))
    if (await db.get(`SELECT 1 AS one FROM depends WHERE task IN (${marks(some.length)}) LIMIT 1`, ...some))
      return true
  return false
}

interface WaitingRow {
  seq: number
  id: string
  parent: string | null
}

/** A task that is not in the database yet. */
export interface AddedTask extends WaitingRow {
  needs: readonly string[]
}

/**
 * Returns the tasks that can form a cycle: the given tasks and all tasks that wait for them, directly or indirectly.
 * If none of these tasks depends on another one, there is no cycle, and the returned list is empty. There are three
 * kinds of waiting:
 * - A dependent can start only after its dependencies are done.
 * - A child can start only after its parent can start.
 * - A parent is done only after its children are done.
 */
export const waitingOn = async (db: Db, ids: readonly string[], added: readonly AddedTask[] = []) => {
  const fresh = familyOf(added)
  const starts = new Set<string>()
  const ends = new Set<string>()
  const rows = new Map<string, WaitingRow>()
  const needs = new Map<string, Need[]>()
  let newStarts = unseen(ids, starts)
  let newEnds: string[] = []
  while (newStarts.length > 0 || newEnds.length > 0) {
    // A task that starts later is also done later. So also read the tasks that wait for its end.
    const ending = [...newEnds, ...unseen(newStarts, ends)]
    await readRows(db, ending, fresh, rows)
    const below = await readChildren(db, newStarts, fresh)
    const dependents = await readDependents(db, ending, fresh, needs)
    newStarts = unseen([...below, ...dependents], starts)
    newEnds = unseen(parentsOf(ending, rows), ends)
  }
  if (needs.size === 0 && !needEachOther(rows, fresh)) return []
  const around = []
  for (const { id, parent } of inOrder(ids, rows)) {
    const own = fresh.tasks.get(id)?.needs ?? inPlace(needs.get(id) ?? [])
    around.push({ id, parent, needs: own })
  }
  return around
}

const needEachOther = (rows: ReadonlyMap<string, WaitingRow>, fresh: Family): boolean => {
  for (const id of rows.keys())
    for (const need of fresh.tasks.get(id)?.needs ?? []) if (rows.has(need)) return true
  return false
}

interface Need {
  id: string
  needs: string
  pos: number
}

const inPlace = (needs: Need[]): string[] => {
  const ids: string[] = []
  for (const { needs: id } of needs.sort((a, b) => a.pos - b.pos)) ids.push(id)
  return ids
}

interface Family {
  tasks: Map<string, AddedTask>
  children: Map<string, string[]>
  dependents: Map<string, string[]>
}

const familyOf = (added: readonly AddedTask[]): Family => {
  const family: Family = { tasks: new Map(), children: new Map(), dependents: new Map() }
  for (const task of added) {
    family.tasks.set(task.id, task)
    if (task.parent) append(family.children, task.parent, task.id)
    for (const need of task.needs) append(family.dependents, need, task.id)
  }
  return family
}

const append = <T>(lists: Map<string, T[]>, key: string, item: T): void => {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Adds the returned ids to `seen`. */
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

/**
 * Puts the given tasks first, then the others in order of creation, so that the reported cycle starts at the same
 * task on every database.
 */
const inOrder = (ids: readonly string[], rows: ReadonlyMap<string, WaitingRow>): WaitingRow[] => {
  const place = new Map<string, number>()
  for (const [i, id] of ids.entries()) place.set(id, i - ids.length)
  const order = ({ id, seq }: WaitingRow) => place.get(id) ?? seq
  return [...rows.values()].sort((a, b) => order(a) - order(b))
}

const readChildren = async (db: Db, ids: readonly string[], fresh: Family): Promise<string[]> => {
  const found: string[] = []
  for (const id of ids) for (const child of fresh.children.get(id) ?? []) found.push(child)
  for (const some of portions(stored(ids, fresh))) {
    const rows = await db.all<{ id: string }>(
      `SELECT id FROM tasks WHERE parent IN (${marks(some.length)})`,
      ...some,
    )
    for (const { id } of rows) found.push(id)
  }
  return found
}

/** Records in `needs` which of the given tasks each dependent needs. */
const readDependents = async (
  db: Db,
  ids: readonly string[],
  fresh: Family,
  needs: Map<string, Need[]>,
): Promise<string[]> => {
  const found: string[] = []
  for (const id of ids) for (const dependent of fresh.dependents.get(id) ?? []) found.push(dependent)
  for (const some of portions(stored(ids, fresh))) {
    const rows = await db.all<Need>(
      `SELECT task AS id, needs, pos FROM depends WHERE needs IN (${marks(some.length)})`,
      ...some,
    )
    for (const row of rows) {
      append(needs, row.id, row)
      found.push(row.id)
    }
  }
  return found
}

const readRows = async (
  db: Db,
  ids: readonly string[],
  fresh: Family,
  into: Map<string, WaitingRow>,
): Promise<void> => {
  for (const id of ids) {
    const task = fresh.tasks.get(id)
    if (task) into.set(id, task)
  }
  for (const some of portions(stored(ids, fresh))) {
    const rows = await db.all<WaitingRow>(
      `SELECT seq, id, parent FROM tasks WHERE id IN (${marks(some.length)})`,
      ...some,
    )
    for (const row of rows) into.set(row.id, row)
  }
}

const stored = (ids: readonly string[], { tasks }: Family): string[] => {
  const found: string[] = []
  for (const id of ids) if (!tasks.has(id)) found.push(id)
  return found
}

/** Returns the tasks that depend on a given task or are below a given task, except cancelled tasks. */
export const reliantOn = async (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; on: string; how: 'below' | 'depends' }[]> => {
  const found: { id: string; on: string; how: 'below' | 'depends' }[] = []
  for (const some of portions(ids)) {
    const at = marks(some.length)
    found.push(
      ...(await db.all<(typeof found)[number]>(
        `SELECT id, parent AS "on", 'below' AS how FROM tasks WHERE parent IN (${at}) AND status <> 'cancelled'
         UNION ALL
         SELECT depends.task, needs, 'depends' FROM depends JOIN tasks ON tasks.id = depends.task
         WHERE needs IN (${at}) AND status <> 'cancelled'`,
        ...some,
        ...some,
      )),
    )
  }
  return found
}

/**
 * Finds the tasks that depend on this task, and all tasks below them. Returns those that are active, still belong to a
 * spawn, or became done since the time `at`.
 */
export const startedSince = async (db: Db, id: string, at: number): Promise<string[]> => {
  const started: string[] = []
  type Waiting = { id: string; status: string; attempt_out: number; completed_at: number | null }
  const columns = 'id, status, attempt_out, completed_at'
  let level = await db.all<Waiting>(
    `SELECT ${columns} FROM tasks WHERE id IN (SELECT task FROM depends WHERE needs = ?)`,
    id,
  )
  while (level.length > 0) {
    for (const { id, status, attempt_out, completed_at } of level)
      if (status === 'active' || attempt_out > 0 || (status === 'done' && Number(completed_at) >= at))
        started.push(id)
    const below: Waiting[] = []
    for (const some of portions(level.map(({ id }) => id)))
      below.push(
        ...(await db.all<Waiting>(
          `SELECT ${columns} FROM tasks WHERE parent IN (${marks(some.length)})`,
          ...some,
        )),
      )
    level = below
  }
  return started
}
