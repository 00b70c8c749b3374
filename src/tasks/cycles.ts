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
 * Builds the refusal of a cycle. The tasks that this call adds are rolled back, so the caller never sees their ids. The
 * refusal shows their names instead: `fresh` maps the id of each added task to its name.
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
