import { findCycle } from '../graph/waits.ts'
import { promiseOfTime } from '../kernel/time-promises.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { waitingOn } from '../tasks/sql/waiting.ts'
import type { Part, Parts } from './rules/observed.ts'
import type { Sight } from './sight.ts'
import * as observed from './sql.ts'

/** More than that is no breakdown anybody reads. */
const mostParts = 500

/** The tasks a spawn made; where it made none, those below its own task. */
export const partsOf = async ({ context: { store, config }, row, spawn }: Sight): Promise<Parts> => {
  const made = await observed.madeBy(store, row.root, spawn.id, mostParts)
  const rows = made.length > 0 ? made : await observed.childrenOf(store, row.id, mostParts)
  const ids = rows.map(({ id }) => id)
  const above = await parentsOf(store, rows)
  const depends = await lists.readMany(store, 'depends', ids)
  const files = await lists.readMany(store, 'files', ids)
  const criteria = await observed.countCriteria(store, ids)
  const cycle = findCycle(await waitingOn(store, ids))
  return {
    tasks: rows.map(
      (each): Part => ({
        ...each,
        depth: depthOf(each, above),
        files: files.get(each.id)?.length ?? 0,
        criteria: criteria.get(each.id) ?? 0,
        depends: depends.get(each.id) ?? [],
        leaf: each.children === 0,
      }),
    ),
    parents: [...new Set(rows.map(({ parent }) => parent))].flatMap((id) => {
      const parent = id === null ? undefined : above.get(id)
      return parent ? [{ id: parent.id, open: Number(parent.children) }] : []
    }),
    ...(cycle && { cycle: cycle.path }),
    promises: rows.flatMap(({ id, title, description }) => {
      const words = promiseOfTime(`${title}\n${description}`)
      return words === undefined ? [] : [`${id} says "${words.trim()}"`]
    }),
    mostFiles: config.spawn?.maxFiles ?? 3,
  }
}

/** The tasks themselves and all that stand above them. */
const parentsOf = async (db: Db, rows: readonly TaskRow[]): Promise<Map<string, TaskRow>> => {
  const known = new Map(rows.map((row) => [row.id, row]))
  for (let next: readonly TaskRow[] = rows; next.length > 0; ) {
    const ids = next.flatMap(({ parent }) => (parent === null || known.has(parent) ? [] : [parent]))
    next = [...(await tasks.findMany(db, [...new Set(ids)])).values()]
    for (const row of next) known.set(row.id, row)
  }
  return known
}

const depthOf = (row: TaskRow, above: ReadonlyMap<string, TaskRow>): number => {
  const seen = new Set<string>()
  for (let at: TaskRow | undefined = row; at && !seen.has(at.id); ) {
    seen.add(at.id)
    at = at.parent === null ? undefined : above.get(at.parent)
  }
  return seen.size
}
