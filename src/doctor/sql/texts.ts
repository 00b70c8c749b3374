import type { EntryRow } from '../../manifest/sql/entries.ts'
import type { MemoryRow } from '../../memory/sql.ts'
import type { Db, Store } from '../../store/port.ts'
import type { Text } from '../../store/texts.ts'
import * as texts from '../../store/texts.ts'
import { type Some, some } from './some.ts'
import { isSound } from './task-text.ts'

export interface OddText {
  kind: string
  ref: string
  /** How often its words are there; once is right. */
  found: number
}

/** Entries and memories whose words are not there exactly once, and words of what is not there. */
export const oddTexts = (db: Db, limit: number): Promise<Some<OddText>> =>
  some(
    db,
    `SELECT kind, ref, sum(found) AS found FROM (
       SELECT 'entry' AS kind, id AS ref, 0 AS found, 1 AS wanted FROM entries
       UNION ALL SELECT 'memory', CAST(seq AS TEXT), 0, 1 FROM memory
       UNION ALL SELECT kind, ref, 1, 0 FROM texts) AS both_sides
     GROUP BY kind, ref HAVING sum(found) <> sum(wanted) ORDER BY kind, ref`,
    limit,
  )

/** Whether the index itself can be read; a server looks after its own. */
export const isIndexSound = (store: Store): Promise<boolean> =>
  store.dialect.name === 'sqlite'
    ? store.tx((db) => isSound(db, "INSERT INTO texts (texts) VALUES ('integrity-check')"))
    : Promise.resolve(true)

const page = 500

/** Makes the index anew from entries and memories. */
export const rebuildTexts = async (db: Db, wordsOf: (body: string) => string): Promise<void> => {
  if (db.dialect.name === 'sqlite') await db.run("INSERT INTO texts (texts) VALUES ('rebuild')")
  await db.run('DELETE FROM texts')
  await inPages<EntryRow>(db, 'entries', (row) => ({ kind: 'entry', ref: row.id, words: wordsOf(row.body) }))
  await inPages<MemoryRow>(db, 'memory', ({ seq, text, source }) => ({
    kind: 'memory',
    ref: String(seq),
    words: `${text} ${source ?? ''}`,
  }))
}

const inPages = async <T extends { seq: number }>(
  db: Db,
  table: 'entries' | 'memory',
  textOf: (row: T) => Text,
): Promise<void> => {
  for (let after = 0; ; ) {
    const rows = await db.all<T>(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`, after, page)
    await texts.put(db, rows.map(textOf))
    if (rows.length < page) return
    after = Number(rows.at(-1)!.seq)
  }
}
