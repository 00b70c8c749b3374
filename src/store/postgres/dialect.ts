import { type Dialect, portions } from '../port.ts'
import { numberedTables } from '../tables.ts'
import { tokens } from './tokens.ts'

export const postgresDialect: Dialect = {
  name: 'postgres',
  fullText:
    "SELECT seq, -ts_rank(words, wanted, 2) AS rank FROM tasks_text, to_tsquery('simple', ?) AS wanted WHERE words @@ wanted",
  matches: "SELECT seq FROM tasks_text WHERE words @@ to_tsquery('simple', ?)",
  textHits:
    "SELECT ref, -ts_rank(words, wanted, 2) AS rank FROM texts, to_tsquery('simple', ?) AS wanted WHERE words @@ wanted AND kind = ?",
  putTexts: async (db, texts) => {
    for (const some of portions(texts))
      await db.run(
        `INSERT INTO texts (kind, ref, words) VALUES ${some.map(() => "(?, ?, to_tsvector('simple', ?))").join(', ')}`,
        ...some.flatMap(({ kind, ref, words }) => [kind, ref, tokens(words).join(' ')]),
      )
  },
  status: `SELECT current_setting('server_version') AS version, (SELECT max(version) FROM schema_version) AS schema,
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r')::bigint AS bytes`,
  splitWords: tokens,
  allWords: (words) => words.map(({ word, whole }) => `'${word}'${whole ? '' : ':*'}`).join(' & '),
  indexText: async (db, tasks) => {
    const vector = (column: string, weight: string) =>
      `setweight(to_tsvector('simple', ${column}), '${weight}')`
    for (const some of portions(tasks)) {
      await db.run(
        `INSERT INTO tasks_text (seq, words)
         SELECT tasks.seq, ${vector('given.title', 'A')} || ${vector('given.description', 'B')}
         FROM (VALUES ${some.map(() => '(?, ?, ?)').join(', ')}) AS given (id, title, description)
           JOIN tasks ON tasks.id = given.id
         ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
        ...some.flatMap(({ id, title, description }) => [
          id,
          tokens(title).join(' '),
          tokens(description).join(' '),
        ]),
      )
    }
  },
  afterCopy: async (db) => {
    // Without ANALYZE the planner assumes that the new tables are empty, and scans them.
    await db.run('ANALYZE')
    for (const table of numberedTables()) {
      const highest = `(SELECT coalesce(max(seq), 0) + 1 FROM ${table})`
      await db.get(`SELECT setval(pg_get_serial_sequence('${table}', 'seq'), ${highest}, false)`)
    }
  },
  seal: async (db, stamp) => {
    const { name } = (await db.get<{ name: string }>('SELECT current_schema() AS name'))!
    await db.run(`ALTER SCHEMA ${name} RENAME TO ${name}_moved_${stamp}`)
  },
}
