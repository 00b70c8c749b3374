import { type Dialect, insertRows } from '../port.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  fullText:
    'SELECT rowid AS seq, bm25(tasks_text, 4.0, 1.0) AS rank FROM tasks_text WHERE tasks_text MATCH ?',
  matches: 'SELECT rowid AS seq FROM tasks_text WHERE tasks_text MATCH ?',
  textHits: 'SELECT ref, rank FROM texts WHERE texts MATCH ? AND kind = ?',
  putTexts: (db, texts) => insertRows(db, 'texts', texts),
  status: `SELECT sqlite_version() AS version, user_version AS schema, page_count * page_size AS bytes
    FROM pragma_user_version, pragma_page_count, pragma_page_size`,
  // Every write appends to the audit table, so renaming that table makes all writes fail.
  seal: async (db) => {
    await db.run('ALTER TABLE audit RENAME TO audit_moved')
  },
  splitWords: (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [],
  // Every word is quoted, so that no input is parsed as query syntax.
  allWords: (words) => words.map(({ word, whole }) => `"${word}"${whole ? '' : '*'}`).join(' '),
}
