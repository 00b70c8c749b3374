import * as v from 'valibot'
import { numberedId, parseNumbered } from '../kernel/numbered-id.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { readTallies } from './read-tally.ts'
import * as consensus from './sql.ts'
import { whyOver } from './verdict-text.ts'

/** Names a consensus by its number, by the task that needs it, or by the task of one of its voters. */
export type ConsensusRef = { seq: number } | { task: string }

export const ConsensusId = v.pipe(
  v.string(),
  v.rawTransform<string, ConsensusRef>(({ dataset, addIssue, NEVER }) => {
    const seq = parseNumbered('C', dataset.value)
    if (seq !== undefined) return { seq }
    const task = parseTaskId(dataset.value)
    if (task !== undefined) return { task }
    addIssue({
      message: `"${dataset.value.slice(0, 40)}" is neither a consensus such as C1 nor a task such as T012`,
    })
    return NEVER
  }),
)

export const findCodes = [
  'consensus.not_found',
  'consensus.none',
  'consensus.several',
  'task.not_found',
] as const

export const findConsensus = async (
  db: Db,
  ref: ConsensusRef,
): Promise<consensus.ConsensusRow | Failure<(typeof findCodes)[number]>> => {
  if ('seq' in ref)
    return (
      (await consensus.find(db, ref.seq)) ?? fail('consensus.not_found', { id: numberedId('C', ref.seq) })
    )
  const { task } = ref
  const voter = await consensus.voterOf(db, task)
  if (voter) return (await consensus.find(db, Number(voter.consensus)))!
  const rows = await consensus.ofTask(db, task)
  if (rows.length === 1) return rows[0]!
  const row = await tasks.find(db, task)
  if (!row) return fail('task.not_found', { id: task })
  if (rows.length === 0) return fail('consensus.none', { task })
  const open = (await readTallies(db, rows)).filter((each) => whyOver(each, row.status) === undefined)
  if (open.length === 1) return open[0]!.row
  return fail('consensus.several', { task, ids: rows.map(({ seq }) => numberedId('C', Number(seq))) })
}
