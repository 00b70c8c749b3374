import type { ContractCode } from '../../contract/evidence/contract-codes.ts'
import { type Judged, judge } from '../../contract/evidence/lacking.ts'
import type { Standing } from '../../contract/standing.ts'
import { type Failure, fail } from '../../model/result.ts'
import type { Permit } from './permit.ts'

/** The permit of a task that stands well; else all that it lacks, the first of it deciding the code. */
export const permitFor = (standing: Standing): { permit: Permit; judged: Judged } | Failure<ContractCode> => {
  const judged = judge(standing)
  const [first] = judged.lacks
  const { task, spawn, entry, seen } = standing
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
  return { permit: { task, outcome, by: { spawn: spawn?.id, entry: entry?.seq, ...seen } }, judged }
}
