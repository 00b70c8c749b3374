import type { Dialect } from '../port.ts'

/** Words as SQLite's tokenizer sees them: letters and digits, without case and without accents. */
const tokens = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

export const postgresDialect: Dialect = {
  name: 'postgres',
  fullText:
    "SELECT seq, -ts_rank(words, wanted) AS rank FROM tasks_text, to_tsquery('simple', ?) AS wanted WHERE words @@ wanted",
  words: (query) =>
    tokens(query)
      .map((word) => `'${word}':*`)
      .join(' & '),
  indexText: async (db, { id, title, description }) => {
    await db.run(
      `INSERT INTO tasks_text (seq, words)
       SELECT seq, setweight(to_tsvector('simple', ?), 'A') || setweight(to_tsvector('simple', ?), 'B') FROM tasks WHERE id = ?
       ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
      tokens(title).join(' '),
      tokens(description).join(' '),
      id,
    )
  },
}
