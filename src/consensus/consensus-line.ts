import type { ConsensusLine } from '../kernel/consensus-line.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { brief } from '../print/brief.ts'
import type { Db } from '../store/port.ts'
import { type ConsensusTally, countVoted, readTallies } from './read-tally.ts'
import * as consensus from './sql.ts'

const mostBytes = 120

/** Shortens the question and the option. */
export const consensusLine = (tallied: ConsensusTally): ConsensusLine => {
  const { row, verdict, voterTasks, votes } = tallied
  const option = row.decided_at === null ? tallied.option : (row.decision ?? undefined)
  return {
    ...{ id: numberedId('C', Number(row.seq)), taskId: row.task, question: brief(row.question, mostBytes) },
    round: Number(row.round),
    ...(voterTasks.length > 0
      ? { votes: countVoted(tallied), of: voterTasks.length }
      : { votes: new Set(votes.map(({ agent }) => agent)).size }),
    verdict,
    ...(option !== undefined && { option: brief(option, mostBytes) }),
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
  }
}

/** Returns every consensus that a task needs, and the consensus in which its agent votes. */
export const consensusOf = async (db: Db, task: string): Promise<ConsensusLine[]> => {
  const voter = await consensus.voterOf(db, task)
  const own = voter && (await consensus.find(db, Number(voter.consensus)))
  const rows = [...(own ? [own] : []), ...(await consensus.ofTask(db, task))]
  return (await readTallies(db, rows)).map(consensusLine)
}
