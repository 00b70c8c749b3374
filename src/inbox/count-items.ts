import * as consensus from '../consensus/sql.ts'
import { maxRounds } from '../kernel/consensus-line.ts'
import * as questions from '../questions/sql.ts'
import type { Db } from '../store/port.ts'
import type { ContestedVote } from './inbox-items.ts'

export const waitingForPeople = async (db: Db): Promise<number> => {
  const undecided = await consensus.undecided(db, maxRounds)
  if (undecided.length === 0) return countItems(db, [])
  const { contestedVotes } = await import('./inbox-items.ts')
  return countItems(db, await contestedVotes(db))
}

export const countItems = async (db: Db, votes: readonly ContestedVote[]): Promise<number> => {
  const questionsAndTasks = (await questions.countBlocked(db)) + (await questions.countUnanswered(db))
  if (votes.length === 0) return questionsAndTasks
  const blocking = new Set(votes.flatMap(({ blocks, item }) => (blocks ? [item.taskId] : [])))
  return votes.length - blocking.size + questionsAndTasks
}
