import * as spawns from '../claims/sql/spawns.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { type Failure, fail, ok } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Write } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type ConsensusTally, countVoted, readTally } from './read-tally.ts'
import * as consensus from './sql.ts'
import { whyOver } from './verdict-text.ts'
import type { Conflict, Position } from './vote.ts'

export interface NewVote {
  option: string
  position: Position
  confidence: number
  rationale: string
  evidence: string[]
  conflicts: Conflict[]
}

export const storeVote = async (tx: Write, row: consensus.ConsensusRow, given: NewVote) => {
  const id = numberedId('C', Number(row.seq))
  const before = await readTally(tx.db, row)
  const refused = (await refuseOver(tx, before)) ?? (await refuseNonVoter(tx, before))
  if (refused) return refused
  const { option, position, confidence } = given
  const round = Number(row.round)
  const vote: consensus.VoteRow = {
    ...{ consensus: Number(row.seq), round, agent: tx.actor.id, option, position, confidence },
    rationale: given.rationale,
    evidence: JSON.stringify(given.evidence),
    conflicts: JSON.stringify(given.conflicts),
    at: tx.now,
  }
  const earlier = await consensus.voteOf(tx.db, vote)
  const answer = { id, option, position, confidence, round }
  if (earlier && isSameVote(earlier, vote))
    return ok({ ...answer, noChange: true as const, ...tallyOf(before) })
  await consensus.vote(tx.db, vote)
  await tx.record({
    task: row.task,
    ...(earlier && {
      before: { consensus: id, option, position: earlier.position, confidence: earlier.confidence },
    }),
    after: { consensus: id, round, option, position, confidence },
  })
  return ok(
    { ...answer, ...(earlier && { replaced: true as const }), ...tallyOf(await readTally(tx.db, row)) },
    earlier ? { warnings: [sameName(earlier)] } : {},
  )
}

const refuseOver = async (
  { db }: Write,
  tallied: ConsensusTally,
): Promise<Failure<'consensus.over'> | undefined> => {
  const { row } = tallied
  const why = whyOver(tallied, (await tasks.find(db, row.task))?.status)
  return why ? fail('consensus.over', { id: numberedId('C', Number(row.seq)), why }) : undefined
}

/** If the voters have tasks, only the spawns of these tasks may vote. */
const refuseNonVoter = async (
  { db, actor }: Write,
  { row, voterTasks, waiting }: ConsensusTally,
): Promise<Failure<'consensus.voter'> | undefined> => {
  const own = parseSpawnId(actor.id)?.task
  if (voterTasks.length === 0 || voterTasks.some(({ task }) => task === own)) return undefined
  const out = await spawns.latestWork(db, waiting)
  return fail('consensus.voter', {
    id: numberedId('C', Number(row.seq)),
    actor: actor.id,
    tasks: voterTasks.map(({ task }) => task),
    spawns: [...out.values()].map((spawn) => spawn.id),
  })
}

const tallyOf = (tallied: ConsensusTally) => {
  const { voterTasks, verdict, option } = tallied
  if (voterTasks.length === 0) return {}
  const counted = { voted: countVoted(tallied), of: voterTasks.length, verdict }
  return { tally: { ...counted, ...(option !== undefined && { option }) } }
}

const sameName = ({ agent, position, confidence, at }: consensus.VoteRow): string =>
  `${agent} had voted ${position} ${confidence} on this option at ${iso(at)}; the new vote replaces it. If that was another voter, vote under a name of your own: --as <name>`

const isSameVote = (a: consensus.VoteRow, b: consensus.VoteRow): boolean =>
  a.position === b.position &&
  a.confidence === b.confidence &&
  a.rationale === b.rationale &&
  a.evidence === b.evidence &&
  a.conflicts === b.conflicts
