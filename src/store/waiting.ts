import { type Db, marks, portions } from './port.ts'
import { readMany } from './task-lists.ts'

interface Row {
  seq: number
  id: string
  parent: string | null
}

/**
 * The tasks that wait, directly or not, for the given ones to start or be done: dependents wait for the end of what
 * they need, a parent ends after its children, children start after their parent may. Level by level, by index.
 */
export const waitingOn = async (db: Db, ids: readonly string[]) => {
  const starts = new Set<string>()
  const ends = new Set<string>()
  const rows = new Map<string, Row>()
  let newStarts = [...ids]
  let newEnds: string[] = []
  while (newStarts.length > 0 || newEnds.length > 0) {
    for (const id of newStarts) starts.add(id)
    const ending = new Set([...newEnds, ...newStarts].filter((id) => !ends.has(id)))
    for (const id of ending) ends.add(id)
    await readRows(db, [...newStarts, ...ending], rows)
    const below = await select(db, 'SELECT id FROM tasks WHERE parent', newStarts)
    const dependents = await select(db, 'SELECT task AS id FROM depends WHERE needs', [...ending])
    newStarts = fresh([...below, ...dependents], starts)
    newEnds = fresh(
      [...ending].flatMap((id) => rows.get(id)?.parent ?? []),
      ends,
    )
  }
  // The ones asked about first, then by age: a circle is told from the same task on every database.
  const place = new Map(ids.map((id, i) => [id, i - ids.length]))
  const order = ({ id, seq }: Row) => place.get(id) ?? seq
  const around = [...rows.values()].sort((a, b) => order(a) - order(b))
  const needs = await readMany(
    db,
    'depends',
    around.map(({ id }) => id),
  )
  return around.map(({ id, parent }) => ({ id, parent, needs: needs.get(id) ?? [] }))
}

const fresh = (ids: string[], seen: Set<string>) => [...new Set(ids)].filter((id) => !seen.has(id))

const select = async (db: Db, query: string, ids: string[]): Promise<string[]> => {
  const found: string[] = []
  for (const some of portions(ids)) {
    for (const { id } of await db.all<{ id: string }>(`${query} IN (${marks(some.length)})`, ...some))
      found.push(id)
  }
  return found
}

const readRows = async (db: Db, ids: string[], into: Map<string, Row>): Promise<void> => {
  for (const some of portions(ids.filter((id) => !into.has(id)))) {
    const rows = await db.all<Row>(
      `SELECT seq, id, parent FROM tasks WHERE id IN (${marks(some.length)})`,
      ...some,
    )
    for (const row of rows) into.set(row.id, row)
  }
}
