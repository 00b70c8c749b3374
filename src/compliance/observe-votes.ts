import { readTallies } from '../consensus/read-tally.ts'
import * as consensus from '../consensus/sql.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import type { ConsensusVotes, Vote } from './rules/rule-facts.ts'
import type { SpawnedTask } from './spawned-task.ts'

/** Returns each consensus in which a spawn voted, and each consensus opened on the spawn's task. */
export const votesOf = async ({ context: { store }, row, spawn }: SpawnedTask): Promise<ConsensusVotes[]> => {
  const cast = await consensus.votesBy(store, row.root, spawn.id)
  const rows = new Map((await consensus.ofTask(store, row.id)).map((each) => [Number(each.seq), each]))
  for (const seq of new Set(cast.map((vote) => Number(vote.consensus)))) {
    const found = rows.has(seq) ? undefined : await consensus.find(store, seq)
    if (found) rows.set(seq, found)
  }
  const counted = await readTallies(store, [...rows.values()])
  return counted.map(({ row: { seq, decided_by }, verdict }) => ({
    id: numberedId('C', Number(seq)),
    own: cast.filter((vote) => Number(vote.consensus) === Number(seq)).map(toVote),
    verdict,
    ...(decided_by !== null && { decidedBy: decided_by }),
  }))
}

const toVote = ({
  option,
  position,
  confidence,
  rationale,
  evidence,
  conflicts,
}: consensus.VoteRow): Vote => ({
  option,
  position,
  confidence,
  rationale,
  evidence: JSON.parse(evidence) as unknown[],
  conflicts: JSON.parse(conflicts) as unknown[],
})
