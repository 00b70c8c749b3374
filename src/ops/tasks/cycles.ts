import { findCycle, type Waiting } from '../../graph/waits.ts'
import { type Failure, fail } from '../../model/result.ts'
import type { Db } from '../../store/port.ts'
import { waitingOn } from '../../store/waiting.ts'

/**
 * Looks for a circle of waiting through the given tasks, after their edges were written: a new circle must pass
 * through them, so only what waits on them is read.
 */
export const cycleThrough = async (db: Db, ids: readonly string[]): Promise<Failure<'cycle'> | undefined> => {
  const around: Waiting[] = await waitingOn(db, ids)
  const cycle = findCycle(around)
  return cycle && fail('cycle', cycle)
}
