import { type Db, marks } from '../store/port.ts'
import { totalOf } from '../tasks/sql/counts.ts'

export interface QuestionRow {
  seq: number
  kind: 'person' | 'waiver' | 'stage'
  /** What the question is about, as a key. There is at most one open question for each key. */
  matter: string
  task: string | null
  question: string
  /** The refused call as JSON: {operation, input}, or {operation, item} if a person has to trust an item. */
  asked: string
  actor: string
  at: number
  answer: 'yes' | 'no' | null
  note: string | null
  answered_by: string | null
  answered_at: number | null
}

type NewQuestion = Pick<QuestionRow, 'kind' | 'matter' | 'task' | 'question' | 'asked' | 'actor' | 'at'>

/** Returns the number of the open question with this key. If there is none, adds the question first. */
export const ask = async (db: Db, row: NewQuestion): Promise<{ seq: number; isNew: boolean }> => {
  const open = await db.get<{ seq: number }>(
    'SELECT seq FROM questions WHERE matter = ? AND answered_at IS NULL',
    row.matter,
  )
  if (open) return { seq: Number(open.seq), isNew: false }
  const made = await db.get<{ seq: number }>(
    'INSERT INTO questions (kind, matter, task, question, asked, actor, at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq',
    row.kind,
    row.matter,
    row.task,
    row.question,
    row.asked,
    row.actor,
    row.at,
  )
  return { seq: Number(made!.seq), isNew: true }
}

export const find = (db: Db, seq: number): Promise<QuestionRow | undefined> =>
  db.get<QuestionRow>('SELECT * FROM questions WHERE seq = ?', seq)

/** Returns unanswered questions, oldest first, starting after the last one of the previous page. */
export const unanswered = (
  db: Db,
  after: { at: number; seq: number },
  limit: number,
): Promise<QuestionRow[]> =>
  db.all<QuestionRow>(
    `SELECT * FROM questions WHERE answered_at IS NULL AND (at > ? OR (at = ? AND seq > ?)) ORDER BY at, seq LIMIT ?`,
    after.at,
    after.at,
    after.seq,
    limit,
  )

export const countUnanswered = async (db: Db): Promise<number> =>
  Number((await db.get<{ n: number }>('SELECT count(*) AS n FROM questions WHERE answered_at IS NULL'))!.n)

export interface BlockedTask {
  seq: number
  id: string
  title: string
  reason: string | null
  updated_at: number
}

/** Returns blocked tasks, longest blocked first, starting after the last one of the previous page. */
export const blocked = (
  db: Db,
  after: { at: number; seq: number },
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<BlockedTask[]> =>
  db.all<BlockedTask>(
    `SELECT seq, id, title, reason, updated_at FROM tasks
     WHERE status = 'blocked' AND (updated_at > ? OR (updated_at = ? AND seq > ?))
       ${except.length > 0 ? `AND id NOT IN (${marks(except.length)})` : ''} ORDER BY updated_at, seq LIMIT ?`,
    after.at,
    after.at,
    after.seq,
    ...except,
    limit,
  )

export const countBlocked = (db: Db): Promise<number> => totalOf(db, ['blocked'], undefined)

type Answer = Pick<QuestionRow, 'seq' | 'answer' | 'note' | 'answered_by' | 'answered_at'>

export const answer = async (db: Db, row: Answer): Promise<void> => {
  await db.run(
    'UPDATE questions SET answer = ?, note = ?, answered_by = ?, answered_at = ? WHERE seq = ?',
    row.answer,
    row.note,
    row.answered_by,
    row.answered_at,
    row.seq,
  )
}
