import type { Dialect } from '../port.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  fullText:
    'SELECT rowid AS seq, bm25(tasks_text, 4.0, 1.0) AS rank FROM tasks_text WHERE tasks_text MATCH ?',
  // Every word is quoted, so nothing a person types is query syntax; each may be the start of a longer one.
  words: (query) => (query.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => `"${word}"*`).join(' '),
}
