import type { Db } from '../store/port.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

const portion = 500

/** Every entry in the order they came, however many there are. */
export async function* allEntries(db: Db): AsyncGenerator<EntryRow> {
  for (let last = 0; ; ) {
    const rows = await entries.after(db, last, portion)
    yield* rows
    if (rows.length < portion) return
    last = rows.at(-1)!.seq
  }
}
