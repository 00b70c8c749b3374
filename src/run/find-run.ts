import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import { runId } from './run-id.ts'
import type { RunRow } from './sql.ts'
import * as runs from './sql.ts'

export const findRun = async (
  db: Db,
  seq: number | undefined,
): Promise<RunRow | Failure<'run.not_found'>> => {
  const run = seq === undefined ? await runs.newest(db) : await runs.find(db, seq)
  return run ?? fail('run.not_found', seq === undefined ? {} : { id: runId(seq) })
}
