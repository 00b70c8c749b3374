import { findCycle } from '../graph/waits.ts'
import { findTimeEstimate } from '../kernel/time-estimates.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { defaultMostFiles } from '../tasks/spawn-problems.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import { waitingOn } from '../tasks/sql/graph.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Breakdown, BreakdownTask } from './rules/rule-facts.ts'
import type { SpawnedTask } from './spawned-task.ts'
import { childrenOf, createdBy } from './sql.ts'

/** At most this many tasks of a breakdown are checked. */
const mostTasks = 500

/** Returns the tasks that a spawn created or, if the spawn created none, the children of the spawned task. */
export const breakdownOf = async ({
  context: { store, config },
  row,
  spawn,
}: SpawnedTask): Promise<Breakdown> => {
  const created = await createdBy(store, row.root, spawn.id, mostTasks)
  const rows = created.length > 0 ? created : await childrenOf(store, row.id, mostTasks)
  const ids = rows.map(({ id }) => id)
  const above = await withAncestors(store, rows)
  const depends = await lists.readMany(store, 'depends', ids)
  const files = await lists.readMany(store, 'files', ids)
  const criteriaCounts = await criteria.counts(store, ids)
  const cycle = findCycle(await waitingOn(store, ids))
  return {
    tasks: rows.map(
      (each): BreakdownTask => ({
        ...each,
        depth: depthOf(each, above),
        files: files.get(each.id)?.length ?? 0,
        criteria: criteriaCounts.get(each.id) ?? 0,
        depends: depends.get(each.id) ?? [],
        leaf: each.children === 0,
      }),
    ),
    parents: await Promise.all(
      [...new Set(rows.flatMap(({ parent }) => parent ?? []))].map(async (id) => ({
        id,
        open: (await tasks.openChildren(store, id, mostTasks)).length,
      })),
    ),
    ...(cycle && { cycle: cycle.path }),
    promises: rows.flatMap(({ id, title, description }) => {
      const words = findTimeEstimate(`${title}\n${description}`)
      return words === undefined ? [] : [`${id} says "${words.trim()}"`]
    }),
    mostFiles: config.spawn?.maxFiles ?? defaultMostFiles,
  }
}

const withAncestors = async (db: Db, rows: readonly TaskRow[]): Promise<Map<string, TaskRow>> => {
  const known = new Map(rows.map((row) => [row.id, row]))
  for (let next: readonly TaskRow[] = rows; next.length > 0; ) {
    const ids = next.flatMap(({ parent }) => (parent === null || known.has(parent) ? [] : [parent]))
    next = [...(await tasks.findMany(db, [...new Set(ids)])).values()]
    for (const row of next) known.set(row.id, row)
  }
  return known
}

const depthOf = (row: TaskRow, above: ReadonlyMap<string, TaskRow>): number => {
  const visited = new Set<string>()
  for (let at: TaskRow | undefined = row; at && !visited.has(at.id); ) {
    visited.add(at.id)
    at = at.parent === null ? undefined : above.get(at.parent)
  }
  return visited.size
}
