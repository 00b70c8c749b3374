import { Refused } from '../../kernel/result.ts'
import { type Db, portions, type Store } from '../../store/port.ts'
import { tokens } from '../../store/postgres/tokens.ts'

type Words = { seq: number; id: string; title: string; description: string }

const page = 2000

/** Whether the words by which tasks are found are the words they have. */
export const isTextInStep = (store: Store): Promise<boolean> =>
  store.dialect.name === 'sqlite' ? store.tx(sqliteInStep) : postgresInStep(store)

const sqliteInStep = (db: Db): Promise<boolean> =>
  isSound(db, "INSERT INTO tasks_text (tasks_text, rank) VALUES ('integrity-check', 1)")

/** SQLite looks at an index of words by itself, but only as an answer to a write. */
export const isSound = async (db: Db, command: string): Promise<boolean> => {
  try {
    await db.run(command)
    return true
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'store.corrupt') return false
    throw error
  }
}

const postgresInStep = async (db: Db): Promise<boolean> => {
  const vector = (column: string, weight: string) =>
    `setweight(to_tsvector('simple', ${column}), '${weight}')`
  for (let after = 0; ; ) {
    const rows = await db.all<Words>(
      'SELECT seq, id, title, description FROM tasks WHERE seq > ? ORDER BY seq LIMIT ?',
      after,
      page,
    )
    for (const part of portions(rows)) {
      const odd = await db.get(
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
      if (odd) return false
    }
    if (rows.length < page) return true
    after = Number(rows.at(-1)!.seq)
  }
}

/** Makes the index of task words anew. */
export const rebuildTaskText = async (db: Db): Promise<void> => {
  if (db.dialect.name === 'sqlite') {
    await db.run("INSERT INTO tasks_text (tasks_text) VALUES ('rebuild')")
    return
  }
  await db.dialect.indexText!(db, await db.all<Words>('SELECT seq, id, title, description FROM tasks'))
}
