import type { Observed } from '../../contract/rules/observed.ts'
import { workersOn } from '../../store/observed.ts'
import * as lists from '../../store/task-lists.ts'
import * as tasks from '../../store/tasks.ts'
import type { Sight } from './sight.ts'

/** Who worked on what a task validates: on what it depends on, by itself or through its parents. */
export const authorsOf = async ({ context: { store }, row }: Sight): Promise<Observed['authors']> => {
  const line = await tasks.lineage(store, row.id)
  const depends = await lists.readMany(store, 'depends', [...new Set([row.id, ...line.map(({ id }) => id)])])
  const workers = await workersOn(store, [...new Set([...depends.values()].flat())])
  return [...workers].map(([task, actors]) => ({ task, actors }))
}
