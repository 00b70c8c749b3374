import { type Cycle, findCycle } from '../graph/waits.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import { waitingOn } from './sql/graph.ts'

/**
 * Finds a cycle of tasks that wait for each other. Call it after writing the dependencies of the given tasks. A new
 * cycle always contains one of the given tasks, so only tasks that wait for them are read.
 */
export const cycleThrough = async (db: Db, ids: readonly string[]): Promise<Failure<'cycle'> | undefined> => {
  const cycle = findCycle(await waitingOn(db, ids))
  return cycle && cycleRefusal(cycle)
}

/**
 * Builds the refusal of a cycle. A refused command adds no tasks, so the refusal shows its new tasks by name and not by
 * id. `fresh` maps the id of each new task to its name.
 */
export const cycleRefusal = (
  { path, contains }: Cycle,
  fresh?: ReadonlyMap<string, string>,
): Failure<'cycle'> =>
  fail('cycle', {
    path: path.map((id) => fresh?.get(id) ?? id),
    contains,
    inspect: path.find((id) => !fresh?.has(id)),
  })
