import * as spawns from '../claims/sql/spawns.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { closed, limits } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as notes from '../tasks/sql/notes.ts'
import { type Permit, transition } from '../tasks/transition.ts'
import { type ConsensusTally, readTallies, readTally } from './read-tally.ts'
import * as consensus from './sql.ts'
import { nextStep, verdictText, whyUndecided } from './verdict-text.ts'
import { addVoters } from './voters.ts'

/**
 * Returns the permit with which a verdict may complete a task. All spawns of the task must have been under the
 * consensus protocol. If a spawn was for other work, returns undefined, because an agent must still submit that work.
 */
export const permitByVerdict = async ({ db }: Write, { id }: TaskRow): Promise<Permit | undefined> => {
  const last = await spawns.lastAttempt(db, id)
  if (!last || !(await spawns.onlyUnder(db, id, 'consensus'))) return undefined
  const isLast = async (db: Write['db']) => (await spawns.lastAttempt(db, id))?.id === last.id
  return { task: id, outcome: 'complete', holds: isLast }
}

/**
 * Refuses to complete a voter's task that was never spawned, because only an agent that works on this task can vote.
 */
export const refuseUnspawnedVoter = async (
  { db }: Write,
  { id }: TaskRow,
): Promise<Failure<'vote.missing'> | undefined> => {
  const voter = await consensus.voterOf(db, id)
  if (!voter || (await spawns.lastAttempt(db, id))) return undefined
  const message = `it was never spawned, so it has no vote on ${numberedId('C', Number(voter.consensus))}`
  const fix = `cleo spawn ${id} --ref`
  return fail('vote.missing', { id, problems: [{ path: 'vote', message, fix }] })
}

/**
 * Counts the votes once the tasks of all voters of a round are closed. If the question is decided, adds the verdict
 * as a note to the task that needs it. If there is no verdict, begins the next round. Returns lines that say what
 * happened.
 */
export const settleRound = async (tx: Write, task: TaskRow): Promise<string[]> => {
  const voter = await consensus.voterOf(tx.db, task.id)
  const row = voter && (await consensus.find(tx.db, Number(voter.consensus)))
  if (!row || Number(row.round) !== Number(voter.round) || row.decided_at !== null) return []
  const tallied = await readTally(tx.db, row)
  if (tallied.voterTasks.some(({ status }) => !closed(status))) return []
  const { verdict } = tallied
  if (verdict === null) return [await beginNextRound(tx, tallied)]
  const id = numberedId('C', Number(row.seq))
  const result = verdictText(tallied)
  if (verdict === 'proven' || verdict === 'refuted') {
    const text = `${id} ${row.question}: ${result}`
    await notes.add(tx.db, { task: row.task, at: tx.now, actor: tx.actor.id, text })
    await tx.record({ task: row.task, after: { consensus: id, verdict: result } })
  }
  return [`${id} is ${result}`]
}

export const beginNextRound = async (
  tx: Write,
  { row, voterTasks }: ConsensusTally,
  voters = voterTasks.length,
): Promise<string> => {
  const id = numberedId('C', Number(row.seq))
  const round = Number(row.round) + 1
  await consensus.nextRound(tx.db, Number(row.seq))
  await tx.record({
    task: row.task,
    before: { consensus: id, round: round - 1 },
    after: { consensus: id, round },
  })
  if (voters === 0) return `${id} is in round ${round}`
  const added = await addVoters(tx, { row, round, voters })
  return `${id} has no verdict after round ${round - 1}; ${added.join(', ')} vote in round ${round}`
}

/**
 * Keeps a task open if its voters are done but did not decide its question. Blocks the task, so that no agent is
 * spawned for it. Does not block an epic. Returns the reason; undefined if nothing keeps the task open.
 */
export const holdForVerdict = async (tx: Write, parent: TaskRow): Promise<string | undefined> => {
  const rows = (await consensus.ofTask(tx.db, parent.id)).filter(({ decided_at }) => decided_at === null)
  for (const tallied of await readTallies(tx.db, rows)) {
    const why = tallied.voterTasks.length > 0 ? whyUndecided(tallied) : undefined
    if (why === undefined) continue
    const then = nextStep(tallied)
    const id = numberedId('C', Number(tallied.row.seq))
    const reason = `${id} is ${verdictText(tallied)}: ${why}${then ? ` (${then})` : ''}`
    if (parent.type !== 'epic')
      await transition(tx, parent, { to: 'blocked', reason: reason.slice(0, limits.reason).toWellFormed() })
    return reason
  }
  return undefined
}
