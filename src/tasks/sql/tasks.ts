import {
  closed,
  type Merge,
  type Priority,
  priorities,
  type Status,
  type TaskLine,
} from '../../kernel/task.ts'
import { type FieldsOf, fieldsToRow } from '../../store/columns/column.ts'
import { taskColumns } from '../../store/columns/tasks.ts'
import { type Db, insertRows, marks, type Param, portions } from '../../store/port.ts'
import { holdsBack, type LineRow, openStatuses, type TaskRow } from '../../store/rows.ts'
import { recountDependents } from './counts.ts'
import { page } from './list.ts'

export const priorityRank = (priority: Priority): number => priorities.indexOf(priority)
const priorityName = (rank: number): Priority => priorities[rank]!

export const toLine = ({ id, title, status, priority, size, outcome }: LineRow): TaskLine => ({
  id,
  title,
  status,
  ...(outcome === 'partial' && { outcome }),
  priority: priorityName(priority),
  size,
})

export const toLines = (rows: readonly LineRow[]): TaskLine[] => {
  const lines: TaskLine[] = []
  for (const row of rows) lines.push(toLine(row))
  return lines
}

export const find = (db: Db, id: string): Promise<TaskRow | undefined> =>
  db.get<TaskRow>('SELECT * FROM tasks WHERE id = ?', id)

export const findMany = async (db: Db, ids: readonly string[]): Promise<Map<string, TaskRow>> => {
  const found = new Map<string, TaskRow>()
  for (const some of portions(ids)) {
    const rows = await db.all<TaskRow>(`SELECT * FROM tasks WHERE id IN (${marks(some.length)})`, ...some)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

export const lines = async (db: Db, ids: readonly string[]): Promise<TaskLine[]> => {
  const rows = await findMany(db, ids)
  return ids.flatMap((id) => rows.get(id) ?? []).map(toLine)
}

/** Takes the next numbers from the counter, so that no number is used twice. */
export const reserveNumbers = async (db: Db, count: number): Promise<number[]> => {
  const row = await db.get<{ value: number }>(
    "UPDATE counters SET value = value + ? WHERE name = 'task' RETURNING value",
    count,
  )
  return numbersUpTo(Number(row!.value), count)
}

/** Does not reserve the numbers. */
export const nextNumbers = async (db: Db, count: number): Promise<number[]> => {
  const row = await db.get<{ value: number }>("SELECT value FROM counters WHERE name = 'task'")
  return numbersUpTo(Number(row!.value) + count, count)
}

const numbersUpTo = (last: number, count: number): number[] => {
  const numbers: number[] = []
  for (let n = last - count + 1; n <= last; n++) numbers.push(n)
  return numbers
}

export type TaskFields = FieldsOf<ReturnType<typeof taskColumns>>
type ChangedFields = { [K in keyof TaskFields]: TaskFields[K] | null }

export type NewTask = Pick<
  TaskRow,
  'seq' | 'id' | 'type' | 'parent' | 'root' | 'key' | 'origin' | 'blockers' | 'unblocks' | 'children'
> & {
  fields: TaskFields
  now: number
}

/** In `added`, a parent must come before its children, unless the parent is already stored. */
export const insertMany = async (db: Db, added: readonly NewTask[]): Promise<void> => {
  const rows = []
  const texts = []
  for (const { fields, now, ...task } of added) {
    rows.push({
      ...fieldsToRow(taskColumns(), fields, 'initial'),
      ...task,
      status: 'pending',
      epoch: 0,
      created_at: now,
      updated_at: now,
    })
    if (db.dialect.indexText)
      texts.push({ id: task.id, title: fields.title ?? '', description: fields.description ?? '' })
  }
  await insertRows(db, 'tasks', rows)
  await db.dialect.indexText?.(db, texts)
}

/** null empties a field. Status changes go through `changeStatus`. */
export const patchFields = async (db: Db, id: string, fields: ChangedFields): Promise<void> => {
  await patch(db, id, fieldsToRow(taskColumns(), fields))
  if ((fields.title ?? fields.description) === undefined || !db.dialect.indexText) return
  await db.dialect.indexText(db, [(await find(db, id))!])
}

export const place = (
  db: Db,
  id: string,
  to: Partial<Pick<TaskRow, 'type' | 'parent' | 'root'>>,
): Promise<void> => patch(db, id, to)

export const touch = (db: Db, id: string, now: number): Promise<void> => patch(db, id, { updated_at: now })

const patch = async (db: Db, id: string, columns: Record<string, Param>): Promise<void> => {
  const names = Object.keys(columns)
  if (names.length === 0) return
  await db.run(
    `UPDATE tasks SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(columns),
    id,
  )
}

export interface StatusChange {
  to: Status
  now: number
  reason?: string
  outcome?: 'complete' | 'partial'
  /**
   * For a task that becomes done: whether its branch must be merged. For a reopened task: whether its merge was
   * refused.
   */
  merge?: Merge
}

/**
 * Updates the counts of the ready index in the same transaction. Every change of a status goes through this function or
 * `cancelAll`. Returns the tasks that became ready.
 */
export const changeStatus = async (db: Db, task: TaskRow, change: StatusChange): Promise<string[]> => {
  const was = closed(task.status)
  const is = closed(change.to)
  await db.run(
    `UPDATE tasks SET status = ?, reason = ?, outcome = ?, completed_at = ?, updated_at = ?,
       merge = coalesce(?, merge), landed_at = CASE WHEN ? = 1 THEN NULL ELSE landed_at END, attempt_out = CASE WHEN ? = 1 THEN 0 ELSE attempt_out END WHERE id = ?`,
    change.to,
    change.reason ?? null,
    change.outcome ?? null,
    is ? change.now : null,
    change.now,
    change.merge ?? (was || is ? 'none' : null),
    was === is ? 0 : 1,
    is ? 1 : 0,
    task.id,
  )
  if (was === is) return []
  await db.run(
    `UPDATE tasks SET unblocks = unblocks + ? WHERE id IN (SELECT needs FROM depends WHERE task = ?)`,
    is ? -1 : 1,
    task.id,
  )
  return recountDependents(db, task.id)
}

export type TreeRow = Pick<
  TaskRow,
  'seq' | 'id' | 'type' | 'status' | 'parent' | 'root' | 'blockers' | 'merge' | 'landed_at'
>

export const withAncestors = async (db: Db, ids: Iterable<string>): Promise<Map<string, TreeRow>> => {
  const found = new Map<string, TreeRow>()
  for (let wanted = [...ids]; wanted.length > 0; ) {
    const above = new Set<string>()
    for (const some of portions(wanted)) {
      const rows = await db.all<TreeRow>(
        `SELECT seq, id, type, status, parent, root, blockers, merge, landed_at FROM tasks WHERE id IN (${marks(some.length)})`,
        ...some,
      )
      for (const row of rows) {
        found.set(row.id, row)
        if (row.parent) above.add(row.parent)
      }
    }
    wanted = []
    for (const id of above) if (!found.has(id)) wanted.push(id)
  }
  return found
}

/** Returns a task and its ancestors, nearest first. */
export const lineage = async (db: Db, id: string): Promise<TaskRow[]> => {
  const rows: TaskRow[] = []
  for (let at: string | null = id; at && rows.length < 4; ) {
    const row: TaskRow | undefined = await find(db, at)
    if (!row) break
    rows.push(row)
    at = row.parent
  }
  return rows
}

export const openChildren = async (db: Db, id: string, limit = 11): Promise<string[]> => {
  const rows = await page(db, { parent: id, open: true, limit })
  if (rows.length === limit) return rows.map((row) => row.id)
  const unmerged = await db.all<{ id: string }>(
    "SELECT id FROM tasks WHERE parent = ? AND merge = 'pending' ORDER BY seq LIMIT ?",
    id,
    limit - rows.length,
  )
  return [...rows, ...unmerged].map((row) => row.id)
}

export const hasDoneChild = async (db: Db, id: string): Promise<boolean> =>
  (await db.get("SELECT 1 AS there FROM tasks WHERE parent = ? AND status = 'done' LIMIT 1", id)) !==
  undefined

export interface TaskRecords {
  /** True if the task was spawned or has evidence. */
  contract: boolean
  /** True if the task has a consensus or is the task of a voter. */
  consensus: boolean
  /** True if manifest entries are linked to the task. */
  links: boolean
}

export const recordsOf = async (db: Db, id: string): Promise<TaskRecords> => {
  const row = await db.get<Record<keyof TaskRecords, number>>(
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM spawns WHERE task = ?) OR EXISTS (SELECT 1 FROM evidence WHERE task = ?)
              THEN 1 ELSE 0 END AS contract,
            CASE WHEN EXISTS (SELECT 1 FROM consensus WHERE task = ?) OR EXISTS (SELECT 1 FROM consensus_voters WHERE task = ?)
              THEN 1 ELSE 0 END AS consensus,
            CASE WHEN EXISTS (SELECT 1 FROM links WHERE task = ?) THEN 1 ELSE 0 END AS links`,
    id,
    id,
    id,
    id,
    id,
  )
  const is = (field: keyof TaskRecords) => Number(row![field]) === 1
  return { contract: is('contract'), consensus: is('consensus'), links: is('links') }
}

export const hasVoters = async (db: Db, id: string): Promise<boolean> =>
  (await db.get(
    `SELECT 1 AS one FROM consensus WHERE task = ?
       AND EXISTS (SELECT 1 FROM consensus_voters WHERE consensus_voters.consensus = consensus.seq)`,
    id,
  )) !== undefined

/** Parents come before their children. */
export const descendants = (db: Db, id: string): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    `WITH RECURSIVE below (id, level) AS (
       SELECT id, 1 FROM tasks WHERE parent = ?
       UNION ALL SELECT t.id, level + 1 FROM tasks t JOIN below ON t.parent = below.id)
     SELECT tasks.* FROM below JOIN tasks ON tasks.id = below.id ORDER BY level, seq`,
    id,
  )

/** Returns the dependencies that keep a task from starting, oldest first. Includes dependencies of its ancestors. */
export const openNeeds = async (db: Db, id: string): Promise<string[]> => {
  const rows = await db.all<{ id: string }>(
    `SELECT DISTINCT n.id AS id, n.seq AS seq FROM tasks
       JOIN depends d ON d.task IN (tasks.id, tasks.parent, (SELECT p.parent FROM tasks p WHERE p.id = tasks.parent))
       JOIN tasks n ON n.id = d.needs
     WHERE tasks.id = ? AND ${holdsBack('n', 'tasks')} ORDER BY n.seq`,
    id,
  )
  return rows.map((row) => row.id)
}

export const scope = async (db: Db): Promise<{ tasks: number; files: number }> => {
  const row = await db.get<{ tasks: number; files: number }>(
    `SELECT (SELECT count(*) FROM tasks WHERE status IN ${openStatuses}) AS tasks,
            (SELECT count(DISTINCT path) FROM files JOIN tasks ON tasks.id = files.task
             WHERE tasks.status IN ${openStatuses}) AS files`,
  )
  return { tasks: Number(row!.tasks), files: Number(row!.files) }
}
