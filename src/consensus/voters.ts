import { numberedId } from '../kernel/numbered-id.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { limits, priorities } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { TaskRow } from '../store/rows.ts'
import { insertTasks } from '../tasks/insert.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import * as consensus from './sql.ts'

export const minVoters = 2
export const mostVoters = 9

interface Round {
  row: Pick<consensus.ConsensusRow, 'seq' | 'task' | 'question' | 'actor'>
  round: number
  voters: number
}

/**
 * Adds a task for each voter, so that each voter is spawned separately. The parent of these tasks is the task that
 * needs the decision. The new tasks belong to the actor that opened the consensus, not to the caller. The caller can be
 * a voter whose vote started this round, and a voter must not be able to change these tasks.
 */
export const addVoters = async (tx: Write, { row, round, voters }: Round): Promise<string[]> => {
  const { seq, task, question, actor } = row
  const id = numberedId('C', Number(seq))
  const parent = (await tasks.find(tx.db, task))!
  const rows = Array.from({ length: voters }, (_, n) => ({
    title: titleOf(`Vote ${n + 1} of ${voters}${round > 1 ? `, round ${round}` : ''}: `, question),
    description: `Vote on ${id}, a decision that ${task} needs: judge each option by itself, and vote on each.`,
    parent: task,
    stage: 'consensus' as const,
    size: 'small' as const,
    priority: priorities[parent.priority]!,
  }))
  const added = await insertTasks(tx, rows, { id: actor, agent: false })
  if (!Array.isArray(added)) throw new Error(`could not add the voters of ${id}: ${added.message}`)
  const ids = added.map((each) => each.id)
  await consensus.addVoters(
    tx.db,
    ids.map((task, n) => ({ task, consensus: Number(seq), round, pos: n + 1 })),
  )
  return ids
}

const titleOf = (start: string, question: string): string => {
  const line = question.replaceAll(/\s+/g, ' ')
  const most = limits.title - start.length
  return start + (line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line)
}

export const placeCodes = ['parent.invalid', 'task.status'] as const

/**
 * Refuses a task that is too deep in the tree to have voters below it. The suggested fix opens the same consensus on
 * the parent of this task.
 */
export const refuseVotersBelow = async (
  { db }: Pick<Write, 'db'>,
  { id, type }: TaskRow,
  { question, options, voters }: { question: string; options: readonly string[]; voters: number },
): Promise<Failure<(typeof placeCodes)[number]> | undefined> => {
  const line = await tasks.lineage(db, id)
  if (type !== 'subtask' && line.length < 3) return undefined
  const why = 'its voters would be tasks below it, but it is already on the lowest level'
  const words = [
    ...['cleo', 'consensus', 'open', line[1]?.id ?? id, '--question', question],
    ...options.flatMap((option) => ['--option', option]),
    ...['--voters', String(voters)],
  ]
  return { ...fail('parent.invalid', { parent: id, why }), fix: words.map(shellQuote).join(' ') }
}
