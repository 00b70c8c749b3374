import { type Db, insertRows, marks, portions } from '../../store/port.ts'

/** The table of each list, and the column with the values. Every table also has the columns `task` and `pos`. */
const tables = {
  depends: { table: 'depends', column: 'needs' },
  labels: { table: 'labels', column: 'label' },
  files: { table: 'files', column: 'path' },
} as const
export type ListName = keyof typeof tables

export const read = async (db: Db, name: ListName, task: string): Promise<string[]> => {
  const { table, column } = tables[name]
  const rows = await db.all<{ value: string }>(
    `SELECT ${column} AS value FROM ${table} WHERE task = ? ORDER BY pos`,
    task,
  )
  return rows.map(({ value }) => value)
}

const everyList = `
  SELECT 'depends' AS list, needs AS value, pos FROM depends WHERE task = ?
  UNION ALL SELECT 'labels', label, pos FROM labels WHERE task = ?
  UNION ALL SELECT 'files', path, pos FROM files WHERE task = ? ORDER BY pos`

export const readAll = async (db: Db, task: string): Promise<Record<ListName, string[]>> => {
  const lists: Record<ListName, string[]> = { depends: [], labels: [], files: [] }
  const rows = await db.all<{ list: ListName; value: string }>(everyList, task, task, task)
  for (const { list, value } of rows) lists[list].push(value)
  return lists
}

export const readMany = async (
  db: Db,
  name: ListName,
  tasks: readonly string[],
): Promise<Map<string, string[]>> => {
  const { table, column } = tables[name]
  const lists = new Map<string, string[]>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string; value: string }>(
      `SELECT task, ${column} AS value FROM ${table} WHERE task IN (${marks(some.length)}) ORDER BY task, pos`,
      ...some,
    )
    for (const { task, value } of rows) {
      const list = lists.get(task)
      if (list) list.push(value)
      else lists.set(task, [value])
    }
  }
  return lists
}

const write = (db: Db, name: ListName, task: string, values: readonly string[]): Promise<void> =>
  writeMany(db, name, [[task, values]])

export const writeMany = (
  db: Db,
  name: ListName,
  all: readonly (readonly [task: string, values: readonly string[]])[],
): Promise<void> => {
  const { table, column } = tables[name]
  const rows = []
  for (const [task, values] of all)
    for (const [pos, value] of values.entries()) rows.push({ task, [column]: value, pos })
  return insertRows(db, table, rows)
}

export const replace = async (
  db: Db,
  name: ListName,
  task: string,
  values: readonly string[],
): Promise<void> => {
  await db.run(`DELETE FROM ${tables[name].table} WHERE task = ?`, task)
  await write(db, name, task, values)
}

export const countDependents = async (db: Db, needs: readonly string[], by: 1 | -1): Promise<void> => {
  for (const need of needs) await db.run('UPDATE tasks SET unblocks = unblocks + ? WHERE id = ?', by, need)
}

export const dependents = async (db: Db, id: string, limit: number): Promise<string[]> => {
  const rows = await db.all<{ id: string }>(
    'SELECT t.id AS id FROM depends d JOIN tasks t ON t.id = d.task WHERE d.needs = ? ORDER BY t.seq LIMIT ?',
    id,
    limit,
  )
  return rows.map((row) => row.id)
}
