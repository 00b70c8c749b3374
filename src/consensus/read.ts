import type { Db } from '../store/port.ts'
import * as consensus from './sql.ts'
import { type Tally, tally } from './tally.ts'

export interface Counted extends Tally {
  row: consensus.ConsensusRow
  votes: consensus.VoteRow[]
}

/** What the votes of each come to at this moment. A verdict is computed whenever it is asked for and kept nowhere. */
export const countAll = async (db: Db, rows: readonly consensus.ConsensusRow[]): Promise<Counted[]> => {
  const seqs = rows.map(({ seq }) => seq)
  const options = await consensus.optionsOf(db, seqs)
  const votes = await consensus.votesOf(db, seqs)
  return rows.map((row) => {
    const cast = votes.get(row.seq) ?? []
    const asked = { options: options.get(row.seq) ?? [], threshold: row.threshold, round: row.round }
    return { row, votes: cast, ...tally(asked, cast) }
  })
}

export const count = async (db: Db, row: consensus.ConsensusRow): Promise<Counted> =>
  (await countAll(db, [row]))[0]!
