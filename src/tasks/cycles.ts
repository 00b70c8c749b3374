import { type Cycle, findCycle, type Waiting } from '../graph/waits.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import { waitingOn } from './sql/graph.ts'

/**
 * Looks for a circle of waiting through the given tasks, after their edges were written: a new circle must pass
 * through them, so only what waits on them is read.
 */
export const cycleThrough = async (
  db: Db,
  ids: readonly string[],
  fresh?: ReadonlyMap<string, string>,
): Promise<Failure<'cycle'> | undefined> => {
  const around: Waiting[] = await waitingOn(db, ids)
  const cycle = findCycle(around)
  return cycle && failCycle(cycle, fresh)
}

/** Tasks that will not have been made are shown by what the caller knows of them: `fresh` has it by id. */
export const failCycle = ({ path, contains }: Cycle, fresh?: ReadonlyMap<string, string>): Failure<'cycle'> =>
  fail('cycle', {
    path: path.map((id) => fresh?.get(id) ?? id),
    contains,
    inspect: path.find((id) => !fresh?.has(id)),
  })
