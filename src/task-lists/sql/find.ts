import { statuses } from '../../kernel/task.ts'
import { countUpTo, mostCounted, type Total } from '../../store/count-up-to.ts'
import type { Db, SearchWord } from '../../store/port.ts'
import { type LineRow, lineColumns } from '../../store/rows.ts'
import { totalOf } from '../../tasks/sql/counts.ts'

/**
 * A word is common if more than this many tasks match it. A task matches if it contains the word, or a longer word that
 * begins with it. Matches are not ranked by a common word, because ranking would read all these tasks. If more than
 * this many tasks contain the exact word, a search ignores longer words, because they would add even more matches.
 */
export const mostRanked = 4000

export interface Query {
  /**
   * The words that a task must contain. A word with `whole` matches only itself. Any other word also matches longer
   * words that begin with it.
   */
  words: SearchWord[]
  /**
   * The words by which matches are ranked. Common words are left out. If all words are common, the newest match comes
   * first.
   */
  ranking: SearchWord[]
}

/** In a small project no word is common. */
export const readQuery = async (db: Db, text: string): Promise<Query> => {
  const words: SearchWord[] = []
  const ranking: SearchWord[] = []
  const isSmall = (await totalOf(db, statuses, undefined)) <= mostRanked
  for (const word of db.dialect.splitWords(text)) {
    const whole = !isSmall && (await isCommon(db, { word, whole: true }))
    words.push({ word, whole })
    if (isSmall || !(whole || (await isCommon(db, { word })))) ranking.push({ word })
  }
  return { words, ranking }
}

const isCommon = async (db: Db, word: SearchWord): Promise<boolean> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${db.dialect.matches} LIMIT ${mostRanked + 1}) AS counted`,
    db.dialect.allWords([word]),
  )
  return Number(row!.n) > mostRanked
}

type Found = Total & { rows: (LineRow & { seq: number })[] }

export const bestMatches = async (
  db: Db,
  { words, ranking }: Query,
  limit: number,
  skip: number,
): Promise<Found> => {
  const { allWords, matches, fullText } = db.dialect
  const all = allWords(words)
  const total = await db.get<{ n: number }>(`SELECT count(*) AS n FROM (${matches}) AS hits`, all)
  // In the query below, `+ 0` keeps SQLite from running the ranking query once per match.
  const isPart = ranking.length < words.length
  const rows = await db.all<LineRow & { seq: number }>(
    `SELECT tasks.seq AS seq, ${lineColumns} FROM (${fullText}) AS hits JOIN tasks ON tasks.seq = hits.seq
     ${isPart ? `WHERE hits.seq + 0 IN (${matches})` : ''} ORDER BY hits.rank, tasks.seq LIMIT ? OFFSET ?`,
    allWords(ranking),
    ...(isPart ? [all] : []),
    limit,
    skip,
  )
  return { rows, total: Number(total!.n) }
}

export const newestMatches = async (
  db: Db,
  { words }: Query,
  limit: number,
  before: number,
): Promise<Found> => {
  const { allWords, matches } = db.dialect
  const all = allWords(words)
  const rows = await db.all<LineRow & { seq: number }>(
    `SELECT tasks.seq AS seq, ${lineColumns} FROM (${matches}) AS hits CROSS JOIN tasks
     WHERE tasks.seq = hits.seq AND hits.seq < ? ORDER BY hits.seq DESC LIMIT ?`,
    all,
    before,
    limit,
  )
  // This function is called only if all words are common. So if there is only one word, it has more matches than CLEO
  // ever counts.
  if (words.length === 1) return { rows, total: mostCounted, atLeast: true }
  return { rows, ...(await countUpTo(db, matches, all)) }
}
