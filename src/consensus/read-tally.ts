import { closed } from '../kernel/task.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'
import * as consensus from './sql.ts'
import { type Tally, tally } from './tally.ts'

export interface ConsensusTally extends Tally {
  row: consensus.ConsensusRow
  votes: consensus.VoteRow[]
  /** The tasks whose agents vote in this round; empty if anyone may vote. */
  voterTasks: consensus.VoterTask[]
  /** The open tasks in `voterTasks` whose agents have not voted yet. While there are any, there is no verdict. */
  waiting: string[]
}

/** Verdicts are not stored: they are computed from the votes when needed. */
export const readTallies = async (
  db: Db,
  rows: readonly consensus.ConsensusRow[],
): Promise<ConsensusTally[]> => {
  const seqs = rows.map(({ seq }) => Number(seq))
  const options = await consensus.optionsOf(db, seqs)
  const votes = await consensus.votesOf(db, seqs)
  const voters = await consensus.votersOf(db, seqs)
  return rows.map((row) => {
    const seq = Number(row.seq)
    const cast = votes.get(seq) ?? []
    const voterTasks = voters.get(seq) ?? []
    const voted = votedTasks(cast)
    const waiting = voterTasks.flatMap(({ task, status }) =>
      closed(status) || voted.has(task) ? [] : [task],
    )
    const rules = { options: options.get(seq) ?? [], threshold: row.threshold, round: Number(row.round) }
    const { verdict, option, ...counted } = tally(rules, cast)
    const decided =
      waiting.length > 0 ? { verdict: null } : { verdict, ...(option !== undefined && { option }) }
    return { row, votes: cast, voterTasks, waiting, ...decided, ...counted }
  })
}

export const readTally = async (db: Db, row: consensus.ConsensusRow): Promise<ConsensusTally> =>
  (await readTallies(db, [row]))[0]!

export const countVoted = ({ voterTasks, votes }: Pick<ConsensusTally, 'voterTasks' | 'votes'>): number => {
  const voted = votedTasks(votes)
  return voterTasks.filter(({ task }) => voted.has(task)).length
}

const votedTasks = (votes: readonly consensus.VoteRow[]): Set<string | undefined> =>
  new Set(votes.map(({ agent }) => parseSpawnId(agent)?.task))
