import { maxRounds } from '../kernel/consensus-line.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { type Failure, fail, ok } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { type ConsensusTally, readTally } from './read-tally.ts'
import { beginNextRound } from './settle-round.ts'
import * as consensus from './sql.ts'
import { verdictText } from './verdict-text.ts'
import { addVoters, placeCodes, refuseVotersBelow } from './voters.ts'

export const openCodes = [
  'task.not_found',
  ...placeCodes,
  'consensus.not_found',
  'consensus.over',
  'consensus.unvoted',
  'input.invalid',
] as const

interface NewQuestion {
  question: string
  options: string[]
  threshold: number
}

/**
 * Opens the first round. If the task already has an open consensus on this question, returns that consensus instead.
 * So an agent that forgot the id of the consensus gets the id again. If that consensus has no voters, adds as many
 * voters as `voters` says.
 */
export const openFirst = async (tx: Write, id: string, asked: NewQuestion, voters: number | undefined) => {
  const task = await tasks.find(tx.db, id)
  if (!task) return fail('task.not_found', { id })
  if (closed(task.status))
    return fail('task.status', { id, status: task.status, verb: 'open a consensus on' })
  const known = await sameQuestion(tx, id, asked)
  const missing = voters !== undefined && !(known && known.voterTasks.length > 0) ? voters : undefined
  const misplaced = missing && (await refuseVotersBelow(tx, task, { ...asked, voters: missing }))
  if (misplaced) return misplaced
  const row = known?.row ?? (await insert(tx, id, asked))
  const added = missing === undefined ? [] : await addVoters(tx, { row, round: row.round, voters: missing })
  await unblock(tx, task, added.length)
  if (added.length > 0)
    await tx.record({ task: id, after: { consensus: numberedId('C', Number(row.seq)), voters: added } })
  const own = known?.voterTasks.map((each) => each.task) ?? []
  const noChange = known !== undefined && added.length === 0
  return ok({
    ...answer(row, asked.options, added.length > 0 ? added : own),
    ...(noChange && { noChange: true as const }),
  })
}

const insert = async (
  tx: Write,
  task: string,
  { question, options, threshold }: NewQuestion,
): Promise<AnswerRow> => {
  const row = { task, question, threshold, actor: tx.actor.id, at: tx.now }
  const seq = await consensus.open(tx.db, row, options)
  await tx.record({ task, after: { consensus: numberedId('C', seq), question, options, threshold } })
  return { ...row, seq, round: 1 }
}

/** Ignores a consensus that a person has decided. */
const sameQuestion = async (
  { db }: Write,
  task: string,
  { question, options, threshold }: NewQuestion,
): Promise<ConsensusTally | undefined> => {
  for (const row of await consensus.ofTask(db, task)) {
    if (row.question !== question || row.threshold !== threshold || row.decided_at !== null) continue
    const seq = Number(row.seq)
    const known = (await consensus.optionsOf(db, [seq])).get(seq) ?? []
    if (JSON.stringify(known) === JSON.stringify(options)) return readTally(db, row)
  }
  return undefined
}

/** If `voters` is missing, the next round has as many voters as the current round. */
export const openAgain = async (tx: Write, seq: number, voters: number | undefined) => {
  const row = await consensus.find(tx.db, seq)
  const id = numberedId('C', seq)
  if (!row) return fail('consensus.not_found', { id })
  const tallied = await readTally(tx.db, row)
  const over = closedRound(id, tallied)
  if (over) return over
  const count = voters ?? tallied.voterTasks.length
  const task = (await tasks.find(tx.db, row.task))!
  const options = tallied.options.map(({ option }) => option)
  if (count > 0) {
    const { status } = task
    if (closed(status)) return fail('task.status', { id: row.task, status, verb: 'open a consensus on' })
    const misplaced = await refuseVotersBelow(tx, task, { question: row.question, options, voters: count })
    if (misplaced) return misplaced
  }
  await beginNextRound(tx, tallied, count)
  await unblock(tx, task, count)
  const added = (await consensus.votersOf(tx.db, [seq])).get(seq) ?? []
  const names = added.map((each) => each.task)
  return ok(answer({ ...row, round: Number(row.round) + 1 }, options, names))
}

/** Unblocks a task that gets voters, so that their verdict can close it. */
const unblock = async (tx: Write, task: TaskRow, voters: number): Promise<void> => {
  if (voters > 0 && task.status === 'blocked') await transition(tx, task, { to: 'pending' })
}

/**
 * Refuses another round if votes are still missing, or if the question is decided. After two rounds without a
 * verdict, only a person can decide.
 */
const closedRound = (
  id: string,
  tallied: ConsensusTally,
): Failure<'consensus.over' | 'consensus.unvoted'> | undefined => {
  const { row, verdict, waiting, voterTasks } = tallied
  if (row.decided_by !== null) return fail('consensus.over', { id, why: `was ${verdictText(tallied)}` })
  if (waiting.length > 0) return fail('consensus.unvoted', { id, waiting })
  if (verdict === 'insufficient') return voterTasks.length > 0 ? undefined : fail('consensus.unvoted', { id })
  if (verdict === null) return undefined
  const contested = `is contested after ${maxRounds} rounds; only a person can decide it, with cleo inbox`
  const why =
    verdict === 'contested'
      ? contested
      : `needs no second round, because it is ${verdictText(tallied)} in round ${row.round}`
  return fail('consensus.over', { id, why })
}

type AnswerRow = Pick<consensus.ConsensusRow, 'seq' | 'task' | 'question' | 'threshold' | 'round' | 'actor'>

const answer = (
  { seq, task, question, threshold, round }: AnswerRow,
  options: string[],
  voters: readonly string[],
) => ({
  id: numberedId('C', Number(seq)),
  taskId: task,
  question,
  options,
  threshold,
  round: Number(round),
  ...(voters.length > 0 && { voters: [...voters] }),
})
