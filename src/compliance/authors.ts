import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Observed } from './rules/observed.ts'
import type { Sight } from './sight.ts'
import { workersOn } from './sql.ts'

/** Who worked on what a task validates: on what it depends on, by itself or through its parents. */
export const authorsOf = async ({ context: { store }, row }: Sight): Promise<Observed['authors']> => {
  const line = await tasks.lineage(store, row.id)
  const depends = await lists.readMany(store, 'depends', [...new Set([row.id, ...line.map(({ id }) => id)])])
  const workers = await workersOn(store, [...new Set([...depends.values()].flat())])
  return [...workers].map(([task, actors]) => ({ task, actors }))
}
