import { numberedId } from '../kernel/numbered-id.ts'
import { brief } from '../print/brief.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { readTallies } from './read-tally.ts'
import * as consensus from './sql.ts'
import { verdictText, whyOver, whyUndecided } from './verdict-text.ts'

const mostReasons = 6
const mostOfReason = 300

/**
 * Returns the facts that an agent needs to vote. Returns undefined if the task is not a voter's task and has no
 * consensus in which anyone may vote.
 */
export const consensusFactsOf = async (db: Db, task: TaskRow) => {
  const voter = await consensus.voterOf(db, task.id)
  const row = voter ? await consensus.find(db, Number(voter.consensus)) : await openByName(db, task)
  if (!row) return undefined
  const seq = Number(row.seq)
  const round = Number(voter?.round ?? row.round)
  const options = (await consensus.optionsOf(db, [seq])).get(seq) ?? []
  return {
    ...{ id: numberedId('C', seq), task: row.task, round },
    ...(voter && { voter: { n: Number(voter.pos), of: await consensus.countVoters(db, seq, round) } }),
    question: row.question,
    options,
    earlier: round > 1 ? reasons(await consensus.votesInRound(db, seq, round - 1), options) : [],
  }
}

const openByName = async (db: Db, { id, status }: TaskRow): Promise<consensus.ConsensusRow | undefined> => {
  const rows = await consensus.ofTask(db, id)
  if (rows.length === 0) return undefined
  const tallies = await readTallies(db, rows)
  return tallies.find((each) => each.voterTasks.length === 0 && whyOver(each, status) === undefined)?.row
}

/** Leaves out names, so that a voter judges the reasons and not their authors. */
const reasons = (votes: readonly consensus.VoteRow[], options: readonly string[]) =>
  votes
    .filter(({ position }) => position !== 'abstain')
    .slice(-mostReasons)
    .map(({ option, position, confidence, rationale }) => ({
      ...{ option: options.indexOf(option) + 1, position, confidence },
      rationale: brief(rationale, mostOfReason),
    }))

/** Returns the decisions made on tasks, for the prompts of their dependents. */
export const decisionsOf = async (db: Db, tasks: readonly string[]) => {
  if (tasks.length === 0) return []
  const tallies = await readTallies(db, await consensus.ofTasks(db, tasks))
  return tallies
    .filter((each) => whyUndecided(each) === undefined)
    .map((each) => ({
      task: each.row.task,
      entry: numberedId('C', Number(each.row.seq)),
      status: each.row.decided_at === null ? each.verdict! : 'decided by a person',
      lines: [`${each.row.question}: ${verdictText(each)}`],
    }))
}
