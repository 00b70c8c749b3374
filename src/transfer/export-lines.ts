import { type Columns, toRecord } from '../store/columns/column.ts'
import { criteria, notes } from '../store/columns/tasks.ts'
import { recordKinds, tables } from '../store/tables.ts'
import { header } from './records.ts'
import type { StoredData } from './sql.ts'

/** One record per line, in an order that depends only on the content. */
export const exportLines = (all: StoredData): string[] => {
  const within = withinOf(all)
  return [
    header,
    ...recordKinds.flatMap((kind) =>
      all.rows[kind].map((row) => ({
        record: kind,
        ...toRecord(tables[kind].columns, row),
        ...(kind === 'task' || kind === 'session' ? within[kind](row['id'] as string) : {}),
      })),
    ),
  ].map(line)
}

/** Returns the lists that are exported inside a task or session record. Empty lists are left out. */
const withinOf = (all: StoredData) => {
  const criteriaOf = Map.groupBy(all.criteria, ({ task }) => task)
  const notesOf = Map.groupBy(
    all.notes.map((note) => ({ ...note, session: note.task === null ? null : note.session, of: note })),
    ({ of }) => of.task ?? of.session ?? '',
  )
  const records = (columns: Columns, rows: readonly object[] | undefined) =>
    rows?.map((row) => toRecord(columns, row as Record<string, unknown>))
  return {
    task: (id: string) =>
      withoutEmpty({
        depends: all.depends.get(id),
        labels: all.labels.get(id),
        files: all.files.get(id),
        criteria: records(criteria, criteriaOf.get(id)),
        notes: records(notes, notesOf.get(id)),
      }),
    session: (id: string) => withoutEmpty({ notes: records(notes, notesOf.get(id)) }),
  }
}

const withoutEmpty = (lists: Record<string, unknown[] | undefined>): object =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list && list.length > 0))

// These characters are escaped in an export, although JSON allows them. They are invisible or change the direction of
// text, so they can mislead a person at a terminal.
const harmful = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const line = (record: object): string =>
  JSON.stringify(record).replace(harmful, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
