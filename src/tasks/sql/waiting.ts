import { type Db, marks, portions } from '../../store/port.ts'
import { readMany } from './lists.ts'

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
  let newStarts = fresh(ids, starts)
  let newEnds: string[] = []
  while (newStarts.length > 0 || newEnds.length > 0) {
    // What starts later also ends later.
    const ending = [...newEnds, ...fresh(newStarts, ends)]
    await readRows(db, ending, rows)
    const below = await select(db, 'SELECT id FROM tasks WHERE parent', newStarts)
    const dependents = await select(db, 'SELECT task AS id FROM depends WHERE needs', ending)
    newStarts = fresh([...below, ...dependents], starts)
    newEnds = fresh(parentsOf(ending, rows), ends)
  }
  const around = inOrder(ids, rows)
  const needs = await readMany(db, 'depends', [...rows.keys()])
  return around.map(({ id, parent }) => ({ id, parent, needs: needs.get(id) ?? [] }))
}

/** Those not seen before; from now on they are. */
const fresh = (ids: readonly string[], seen: Set<string>): string[] => {
  const found: string[] = []
  for (const id of ids) {
    if (seen.has(id)) continue
    seen.add(id)
    found.push(id)
  }
  return found
}

const parentsOf = (ids: readonly string[], rows: ReadonlyMap<string, Row>): string[] => {
  const parents: string[] = []
  for (const id of ids) {
    const parent = rows.get(id)?.parent
    if (parent) parents.push(parent)
  }
  return parents
}

/** The ones asked about first, then by age: a circle is told from the same task on every database. */
const inOrder = (ids: readonly string[], rows: ReadonlyMap<string, Row>): Row[] => {
  const place = new Map(ids.map((id, i) => [id, i - ids.length]))
  const order = ({ id, seq }: Row) => place.get(id) ?? seq
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

const readRows = async (db: Db, ids: string[], into: Map<string, Row>): Promise<void> => {
  for (const some of portions(ids.filter((id) => !into.has(id)))) {
    const rows = await db.all<Row>(
      `SELECT seq, id, parent FROM tasks WHERE id IN (${marks(some.length)})`,
      ...some,
    )
    for (const row of rows) into.set(row.id, row)
  }
}
