import { type Cycle, findCycle, type WaitingTask } from '../graph/waits.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import { waitingOn } from './sql/graph.ts'

/**
 * Finds a cycle of waiting through the given tasks, after their dependencies were written: a new cycle must pass
 * through them, so only what waits for them is read.
 */
export const cycleThrough = async (
  db: Db,
  ids: readonly string[],
  fresh?: ReadonlyMap<string, string>,
): Promise<Failure<'cycle'> | undefined> => {
  const around: WaitingTask[] = await waitingOn(db, ids)
  const cycle = findCycle(around)
  return cycle && cycleRefusal(cycle, fresh)
}

/**
 * `fresh` has a name for each task of this call, by id: these tasks are rolled back, so their ids would mean nothing to
 * the caller.
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
