import { DatabaseSync } from 'node:sqlite'

interface Row {
  id: string
  seq: number
  parent: string | null
  root: string
  status: string
  priority: number
  blockers: number
  unblocks: number
  children: number
  attempt_out: number
}

interface Need {
  task: string
  needs: string
}

/**
 * Recomputes the counts of every task from the tree and the dependencies alone, and returns each difference from the
 * stored counts. Shares no code with the program that it checks.
 */
export const recount = (path: string): string[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('SELECT * FROM tasks').all() as unknown as Row[]
    const needs = database.prepare('SELECT task, needs FROM depends').all() as unknown as Need[]
    const counts = countAll(rows, needs)
    return [
      ...wrongCounts(rows, counts),
      ...wrongTotals(database, rows),
      ...wrongOrder(database, rows, counts),
    ]
  } finally {
    database.close()
  }
}

type Counts = Pick<Row, 'blockers' | 'unblocks' | 'children'>

const isOpen = ({ status }: Row) => status !== 'done' && status !== 'cancelled'

const countAll = (rows: readonly Row[], needs: readonly Need[]): Map<string, Counts> => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const openNeeds = (id: string | null | undefined) =>
    needs.filter(({ task, needs }) => task === id && isOpen(byId.get(needs)!)).length
  const own = new Map(rows.map(({ id }) => [id, openNeeds(id)]))
  const counts = new Map(rows.map(({ id }) => [id, { blockers: 0, unblocks: 0, children: 0 }]))
  for (const row of rows) {
    const count = counts.get(row.id)!
    for (let at: Row | undefined = row; at; at = byId.get(at.parent ?? '')) count.blockers += own.get(at.id)!
    if (row.parent !== null) counts.get(row.parent)!.children++
  }
  for (const { task, needs: needed } of needs) {
    if (isOpen(byId.get(task)!)) counts.get(needed)!.unblocks++
  }
  return counts
}

const wrongCounts = (rows: readonly Row[], counts: Map<string, Counts>): string[] =>
  rows.flatMap((row) =>
    (['blockers', 'unblocks', 'children'] as const).flatMap((column) => {
      const counted = counts.get(row.id)![column]
      return row[column] === counted ? [] : [`${row.id} ${column}: stored ${row[column]}, counted ${counted}`]
    }),
  )

/** Compares the numbers of tasks by status, in the project and in each tree, with a count of the rows. */
const wrongTotals = (database: DatabaseSync, rows: readonly Row[]): string[] => {
  const totals = new Map<string, number>()
  const add = (key: string, n: number) => totals.set(key, (totals.get(key) ?? 0) + n)
  for (const { root, status, children } of rows)
    for (const place of ['the project', root]) add(`${place}, ${status}, leaf ${children === 0 ? 1 : 0}`, 1)
  for (const row of database.prepare('SELECT * FROM task_counts').all())
    add(`${row['root'] || 'the project'}, ${row['status']}, leaf ${row['leaf']}`, -Number(row['n']))
  return [...totals].flatMap(([key, n]) => (n === 0 ? [] : [`tasks of ${key}: ${n} more than stored`]))
}

/** Compares the order of the ready index with rows sorted here. */
const wrongOrder = (database: DatabaseSync, rows: readonly Row[], counts: Map<string, Counts>): string[] => {
  const given = database
    .prepare(
      `SELECT id FROM tasks INDEXED BY tasks_ready WHERE status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0
       ORDER BY priority, unblocks DESC, seq`,
    )
    .all()
    .map((row) => row['id'] as string)
  const of = ({ id }: Row) => counts.get(id)!
  const sorted = rows
    .filter(
      (row) =>
        row.status === 'pending' && of(row).blockers === 0 && of(row).children === 0 && row.attempt_out === 0,
    )
    .sort((a, b) => a.priority - b.priority || of(b).unblocks - of(a).unblocks || a.seq - b.seq)
    .map(({ id }) => id)
  const at = Array.from({ length: Math.max(given.length, sorted.length) }).findIndex(
    (_, i) => given[i] !== sorted[i],
  )
  return at < 0 ? [] : [`ready work, place ${at + 1}: the index gives ${given[at]}, sorting ${sorted[at]}`]
}
