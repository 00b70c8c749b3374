import { Refused } from '../../kernel/result.ts'
import type { EntryRow } from '../../manifest/sql/entries.ts'
import type { MemoryRow } from '../../memory/sql.ts'
import type { Text } from '../../store/port.ts'
import { type Db, portions, type Store } from '../../store/port.ts'
import { tokens } from '../../store/postgres/tokens.ts'
import * as texts from '../../store/texts.ts'
import { firstRows, type LimitedRows } from './limited.ts'

type TaskText = { seq: number; id: string; title: string; description: string }

const taskPage = 2000
const textPage = 500

export const isTaskTextCurrent = (store: Store): Promise<boolean> =>
  store.dialect.name === 'sqlite'
    ? store.tx((db) =>
        isIntact(db, "INSERT INTO tasks_text (tasks_text, rank) VALUES ('integrity-check', 1)"),
      )
    : isPostgresTextCurrent(store)

/** Runs the special INSERT that makes SQLite check a full-text index. The INSERT fails if the index is wrong. */
const isIntact = async (db: Db, command: string): Promise<boolean> => {
  try {
    await db.run(command)
    return true
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'store.corrupt') return false
    throw error
  }
}

const isPostgresTextCurrent = async (db: Db): Promise<boolean> => {
  const vector = (column: string, weight: string) =>
    `setweight(to_tsvector('simple', ${column}), '${weight}')`
  for (let after = 0; ; ) {
    const rows = await db.all<TaskText>(
      'SELECT seq, id, title, description FROM tasks WHERE seq > ? ORDER BY seq LIMIT ?',
      after,
      taskPage,
    )
    for (const part of portions(rows)) {
      const wrong = await db.get(
        `SELECT tasks.seq FROM (VALUES ${part.map(() => '(?, ?, ?, ?, ?)').join(', ')})
           AS given (id, was_title, was_description, title, description)
         JOIN tasks ON tasks.id = given.id AND tasks.title = given.was_title
           AND tasks.description = given.was_description
         LEFT JOIN tasks_text ON tasks_text.seq = tasks.seq
         WHERE tasks_text.words IS DISTINCT FROM ${vector('given.title', 'A')} || ${vector('given.description', 'B')}
         LIMIT 1`,
        ...part.flatMap(({ id, title, description }) => [
          id,
          title,
          description,
          tokens(title).join(' '),
          tokens(description).join(' '),
        ]),
      )
      if (wrong) return false
    }
    if (rows.length < taskPage) return true
    after = Number(rows.at(-1)!.seq)
  }
}

export const rebuildTaskText = async (db: Db): Promise<void> => {
  if (db.dialect.name === 'sqlite') {
    await db.run("INSERT INTO tasks_text (tasks_text) VALUES ('rebuild')")
    return
  }
  await db.dialect.indexText!(db, await db.all<TaskText>('SELECT seq, id, title, description FROM tasks'))
}

export interface WrongText {
  kind: string
  ref: string
  /** How often the text is in the index. The only correct number is 1. */
  found: number
}

/**
 * Returns each entry and memory that is missing from the index, or is in the index several times. Also returns index
 * rows that belong to no entry and no memory.
 */
export const wrongTexts = (db: Db, limit: number): Promise<LimitedRows<WrongText>> =>
  firstRows(
    db,
    `SELECT kind, ref, sum(found) AS found FROM (
       SELECT 'entry' AS kind, id AS ref, 0 AS found, 1 AS wanted FROM entries
       UNION ALL SELECT 'memory', CAST(seq AS TEXT), 0, 1 FROM memory
       UNION ALL SELECT kind, ref, 1, 0 FROM texts) AS both_sides
     GROUP BY kind, ref HAVING sum(found) <> sum(wanted) ORDER BY kind, ref`,
    limit,
  )

/** Only SQLite needs this check. */
export const isTextIndexReadable = (store: Store): Promise<boolean> =>
  store.dialect.name === 'sqlite'
    ? store.tx((db) => isIntact(db, "INSERT INTO texts (texts) VALUES ('integrity-check')"))
    : Promise.resolve(true)

export const rebuildTexts = async (db: Db, wordsOf: (body: string) => string): Promise<void> => {
  if (db.dialect.name === 'sqlite') await db.run("INSERT INTO texts (texts) VALUES ('rebuild')")
  await db.run('DELETE FROM texts')
  await indexTable<EntryRow>(db, 'entries', (row) => ({
    kind: 'entry',
    ref: row.id,
    words: wordsOf(row.body),
  }))
  await indexTable<MemoryRow>(db, 'memory', ({ seq, text, source }) => ({
    kind: 'memory',
    ref: String(seq),
    words: `${text} ${source ?? ''}`,
  }))
}

const indexTable = async <T extends { seq: number }>(
  db: Db,
  table: 'entries' | 'memory',
  textOf: (row: T) => Text,
): Promise<void> => {
  for (let after = 0; ; ) {
    const rows = await db.all<T>(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`, after, textPage)
    await texts.put(db, rows.map(textOf))
    if (rows.length < textPage) return
    after = Number(rows.at(-1)!.seq)
  }
}
