import * as spawns from '../claims/sql/spawns.ts'
import type { ContractCode } from '../evidence/contract-codes.ts'
import { type Judged, judge } from '../evidence/lacking.ts'
import * as evidence from '../evidence/sql.ts'
import type { Standing } from '../evidence/standing-shape.ts'
import { type Failure, fail } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Permit } from '../tasks/permit.ts'

/** The permit of a task that stands well; else all that it lacks, the first of it deciding the code. */
export const permitFor = (standing: Standing): { permit: Permit; judged: Judged } | Failure<ContractCode> => {
  const judged = judge(standing)
  const [first] = judged.lacks
  const { task, entry } = standing
  if (first) {
    const problems = judged.lacks.map(({ path, message, fix, code }) => ({
      path,
      message,
      ...(fix && { fix }),
      code,
    }))
    return { ...fail(first.code, { id: task, problems }), held: judged.held }
  }
  const outcome = entry?.status === 'partial' ? 'partial' : 'complete'
  return { permit: { task, outcome, holds: (db, row) => isUnchanged(db, row, standing) }, judged }
}

/** For a task that was never spawned: no evidence is required of it as long as that is so. */
export const unrestricted = (task: string): Permit => ({
  task,
  outcome: 'complete',
  holds: async (db) => (await spawns.lastAttempt(db, task)) === undefined,
})

const isUnchanged = async (db: Db, row: TaskRow, { spawn, entry, seen }: Standing): Promise<boolean> => {
  const last = (await spawns.lastAttempt(db, row.id))?.id
  if (last !== spawn?.id || row.updated_at !== seen.updatedAt) return false
  const current = last && (await entries.ofSpawn(db, last))?.seq
  return current === entry?.seq && (await evidence.lastNumber(db, row.id)) === seen.evidence
}
