import type { Db } from '../store/port.ts'
import * as consensus from './sql.ts'
import { type Tally, tally } from './tally.ts'

export interface ConsensusTally extends Tally {
  row: consensus.ConsensusRow
  votes: consensus.VoteRow[]
}

/** Counts the votes of each consensus. A verdict is never stored: it is computed from the votes when it is needed. */
export const readTallies = async (
  db: Db,
  rows: readonly consensus.ConsensusRow[],
): Promise<ConsensusTally[]> => {
  const seqs = rows.map(({ seq }) => seq)
  const options = await consensus.optionsOf(db, seqs)
  const votes = await consensus.votesOf(db, seqs)
  return rows.map((row) => {
    const cast = votes.get(row.seq) ?? []
    const rules = { options: options.get(row.seq) ?? [], threshold: row.threshold, round: row.round }
    return { row, votes: cast, ...tally(rules, cast) }
  })
}

export const readTally = async (db: Db, row: consensus.ConsensusRow): Promise<ConsensusTally> =>
  (await readTallies(db, [row]))[0]!
