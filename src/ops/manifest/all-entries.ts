import type { EntryRow } from '../../store/entries.ts'
import * as entries from '../../store/entries.ts'
import type { Db } from '../../store/port.ts'

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
